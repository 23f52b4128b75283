import type { IncomingMessage, ServerResponse } from "node:http";

const nodeRequests = new WeakMap<Request, IncomingMessage>();

/**
 * The Node (or Express) request that a Web request was made from: where the sessions of Node frameworks live.
 *
 * @throws {TypeError} for a request that did not come through the node or express adapter
 * @example tenant: (request) => nodeRequest<express.Request>(request).session.userId
 */
export function nodeRequest<T extends IncomingMessage = IncomingMessage>(request: Request): T {
  const found = nodeRequests.get(request);
  if (found === undefined) throw new TypeError("nodeRequest: this request did not come from Node");
  // The caller knows its framework: the adapters put in exactly what the framework handed them.
  return found as T;
}

/**
 * A Node request as a Web request: same headers, same address, aborted when the client goes away. Without `body`
 * it has none, as a tRPC context wants it.
 *
 * @example createContext: ({ req, res }) => ({ request: toWebRequest(req, res) })
 */
export function toWebRequest(
  message: IncomingMessage,
  response: ServerResponse,
  body?: ReadableStream<Uint8Array> | string,
): Request {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const method = message.method ?? "GET";
  const mayHaveBody = method !== "GET" && method !== "HEAD";
  const request = new Request(urlOf(message), {
    // These three have no Web request (the Fetch standard forbids them), and no route here either.
    method: /^(CONNECT|TRACE|TRACK)$/i.test(method) ? "OPTIONS" : method,
    headers: headersOf(message),
    signal: gone.signal,
    ...(mayHaveBody && body !== undefined ? { body, duplex: "half" } : {}),
  });
  nodeRequests.set(request, message);
  return request;
}

// Express rewrites `url` to what lies below the mount and keeps the whole in `originalUrl`.
function urlOf(message: IncomingMessage & { originalUrl?: string }): string {
  const scheme = "encrypted" in message.socket ? "https" : "http";
  const path = message.originalUrl ?? message.url ?? "/";
  const url = `${scheme}://${message.headers.host ?? "localhost"}${path}`;
  // A Host header, or a target like `*`, can be anything; the routes look at the path alone.
  return URL.canParse(url) && new URL(url).username === "" ? url : `${scheme}://localhost/`;
}

function headersOf(message: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    // HTTP/2 puts its pseudo-headers here too, and no Web request may carry one.
    if (name.startsWith(":")) continue;
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}
