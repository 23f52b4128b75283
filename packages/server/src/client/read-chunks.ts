import { StowageError } from "@stowage/schemas";
import { onAbort } from "../on-abort.js";
import { unreadable, type Source } from "./open-source.js";

/**
 * Yields the chunks of a source. An abort ends it even while a read never answers.
 *
 * @throws {StowageError} `invalid_request` when the source cannot be read
 * @throws the signal's reason
 */
export async function* readChunks(open: Source["open"], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunks = iteratorOf(open);
  let isDone = false;
  try {
    while (true) {
      const { done, value } = await nextChunk(chunks, signal);
      if (done) break;
      yield bytesOf(value);
    }
    isDone = true;
  } finally {
    // Not awaited: a source that hangs while it is read may also hang while it is closed.
    if (!isDone) void chunks.return?.()?.catch(() => {});
  }
}

function iteratorOf(open: Source["open"]): AsyncIterator<Uint8Array> {
  try {
    return open()[Symbol.asyncIterator]();
  } catch (cause) {
    // A Web stream that already has a reader.
    throw unreadable(cause);
  }
}

function nextChunk(
  chunks: AsyncIterator<Uint8Array>,
  signal: AbortSignal,
): Promise<IteratorResult<Uint8Array>> {
  // Not Promise.race with one abort promise for all chunks: it would keep every chunk in memory until the end.
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stopListening = onAbort(signal, () => reject(signal.reason));
    void chunks
      .next()
      .then(resolve, (cause: unknown) => reject(unreadable(cause)))
      .finally(stopListening);
  });
}

function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  if (typeof chunk === "string") return Buffer.from(chunk, "utf8");
  throw new StowageError("invalid_request", {
    detail: `The stream returned a ${typeof chunk} instead of bytes`,
  });
}

// The sentences about a source whose length differs from the announced one.

export function tooLong(sizeBytes: number): StowageError {
  const error = wrongLength(`has more than the ${sizeBytes} announced bytes`);
  tooLongErrors.add(error);
  return error;
}

// A WeakSet instead of a property, so that a caught and printed error looks like every other StowageError.
const tooLongErrors = new WeakSet<object>();

/** Whether the announced size was wrong, so that no repetition can succeed. */
export function isTooLong(thrown: unknown): boolean {
  return thrown instanceof StowageError && tooLongErrors.has(thrown);
}

export function tooShort(readBytes: number, sizeBytes: number): StowageError {
  return wrongLength(`ended after ${readBytes} of the ${sizeBytes} announced bytes`);
}

function wrongLength(problem: string): StowageError {
  return new StowageError("invalid_request", { detail: `The file ${problem}` });
}
