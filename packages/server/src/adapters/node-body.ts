import type { IncomingMessage } from "node:http";
import { finished } from "node:stream";
import { StowageError } from "@stowage/schemas";
import { type ReadBody, readStream } from "../read-json-body.js";

/** The body of a Node request, by two ways of which one is gone: nobody has read anything of it yet. */
export interface NodeBody {
  /** As Web requests take it. */
  web(): ReadableStream<Uint8Array> | string;
  read: ReadBody;
}

/** A request's bytes, read as they are asked for. */
export function bodyOf(message: IncomingMessage): NodeBody {
  return {
    web: () => streamOf(message),
    read: (limitBytes) => readMessage(message, limitBytes),
  };
}

function readMessage(message: IncomingMessage, limitBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const take = (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes <= limitBytes) return void chunks.push(chunk);
      message.off("data", take);
      throwAway(message);
      reject(new StowageError("body_too_large"));
    };
    message.on("data", take);
    // Told even when it had ended before, as behind a middleware that has read it.
    finished(message, { writable: false }, (error) =>
      error ? reject(error) : resolve(Buffer.concat(chunks)),
    );
  });
}

function streamOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  // Not Readable.toWeb, which leaves a refused body lying in the connection: a client that sends all before it reads
  // would wait for ever.
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
        throwAway(message);
      },
    },
    // Read nothing ahead: a body that nobody began to read is thrown away by Node itself.
    { highWaterMark: 0 },
  );
}

/** What still arrives is read and forgotten, so that the client gets to read the answer. */
function throwAway(message: IncomingMessage): void {
  message.resume();
}

/** A body that somebody has read, such as a body parser, and what it left. */
export function bodyGiven(body: ReadableStream<Uint8Array> | string): NodeBody {
  return {
    web: () => body,
    read: async (limitBytes) => {
      if (typeof body !== "string") return readStream(body, limitBytes);
      const bytes = Buffer.from(body);
      if (bytes.length > limitBytes) throw new StowageError("body_too_large");
      return bytes;
    },
  };
}
