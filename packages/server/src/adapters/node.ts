import type { IncomingMessage, ServerResponse } from "node:http";
import { toStowageError } from "../fault.js";
import type { Handler } from "../handler.js";
import { renderError } from "../render-error.js";
import { nodeRequest, toWebRequest } from "./web-request.js";

export { nodeRequest, toWebRequest };

/**
 * A listener for `node:http`, and for what is built on it.
 *
 * @example createServer(toNodeHandler(stowage)).listen(3000);
 */
export function toNodeHandler({ handler }: { handler: Handler }) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await answer(response, () => handler(toWebRequest(request, response, bodyOf(request))));
  };
}

/** Sends what `work` answers. Its body is read whole: the helper's answers are a few hundred bytes. */
export async function answer(response: ServerResponse, work: () => Promise<Response>): Promise<void> {
  // A listener that rejects ends the whole process, so even a request that cannot be read gets an answer.
  const { status, headers, body } = await Promise.resolve()
    .then(work)
    .then(toBytes)
    .catch((thrown: unknown) => toBytes(renderError(toStowageError(thrown))));
  response.writeHead(status, { ...headers, "content-length": body.length }).end(body);
}

async function toBytes(response: Response) {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

// Not Readable.toWeb, which leaves a refused body lying in the connection: a client that sends all before it reads
// would wait for ever.
function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false });
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      async cancel() {
        await chunks.return?.();
        // What still arrives is thrown away, so that the client gets to read the answer.
        request.resume();
      },
    },
    // Read nothing ahead: a body that nobody began to read is thrown away by Node itself.
    { highWaterMark: 0 },
  );
}
