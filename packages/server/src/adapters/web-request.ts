import type { IncomingMessage, ServerResponse } from "node:http";

// A WeakMap instead of a property, so that the request stays a plain Web request.
const messages = new WeakMap<Request, IncomingMessage>();

/**
 * Converts a Node request into a Web request with the same headers and URL. Its signal aborts when the client closes the
 * connection before it has the response.
 *
 * @param body the request's body. Leave it out for a tRPC context, which needs none
 * @example createContext: ({ req, res }) => ({ request: toWebRequest(req, res) })
 */
export function toWebRequest(
  message: IncomingMessage,
  response: ServerResponse,
  body?: ReadableStream<Uint8Array> | string,
): Request {
  const method = methodOf(message);
  const mayHaveBody = method !== "GET" && method !== "HEAD";
  const request = new Request(urlOf(message), {
    method,
    headers: headersOf(message),
    signal: closeSignal(response),
    ...(mayHaveBody && body !== undefined ? { body, duplex: "half" } : {}),
  });
  messages.set(request, message);
  return request;
}

/**
 * Returns the Node or Express request behind a Web request. Node frameworks keep their sessions there.
 *
 * @throws {TypeError} for a request that did not come through the node, express or fastify adapter
 * @example tenant: (request) => nodeRequest<express.Request>(request).session.userId
 */
export function nodeRequest<T extends IncomingMessage = IncomingMessage>(request: Request): T {
  const found = messages.get(request);
  if (found === undefined) throw new TypeError("nodeRequest: this request did not come from Node");
  // The caller knows its framework. The adapters stored exactly the request that the framework passed to them.
  return found as T;
}

/**
 * Returns the body of a Node request as a Web stream that reads nothing ahead. Not `Readable.toWeb`: after a refusal, that leaves
 * the rest of the body unread in the connection, and a client that sends everything before it reads would hang.
 */
export function bodyStreamOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = message.iterator({ destroyOnReturn: false });
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      async cancel() {
        await chunks.return?.();
        message.resume();
      },
    },
    // Node discards a body that was never read. With a queue of 1, the stream would start to read it.
    { highWaterMark: 0 },
  );
}

/** Returns a signal that aborts when the connection closes before the response was sent. */
function closeSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.closed) onClose();
  else response.once("close", onClose);
  return controller.signal;
}

// The Fetch standard forbids these methods in a Request. The helper refuses them all the same as OPTIONS.
function methodOf({ method = "GET" }: IncomingMessage): string {
  return ["CONNECT", "TRACE", "TRACK"].includes(method.toUpperCase()) ? "OPTIONS" : method;
}

// Express removes the mount path from `url` and keeps the whole URL in `originalUrl`.
function urlOf(message: IncomingMessage & { originalUrl?: string }): string {
  const scheme = "encrypted" in message.socket ? "https" : "http";
  const path = message.originalUrl ?? message.url ?? "/";
  const url = `${scheme}://${message.headers.host ?? "localhost"}${path}`;
  // The Host header and the target can be invalid. The helper then answers "not found".
  return URL.canParse(url) && new URL(url).username === "" ? url : `${scheme}://localhost/`;
}

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const headers: [string, string][] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index]!, rawHeaders[index + 1]!];
    // Names that start with ":" are HTTP/2 pseudo-headers. A Web request cannot hold them.
    if (!name.startsWith(":")) headers.push([name, value]);
  }
  return headers;
}
