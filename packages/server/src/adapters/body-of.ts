import type { IncomingMessage } from "node:http";

/** A request's bytes, read as they are asked for. */
export function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  // Not Readable.toWeb, which leaves a refused body lying in the connection: a client that sends all before it reads
  // would wait for ever.
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
