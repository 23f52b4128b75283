import { UploadError } from "../upload-error.js";
import type { UploadJob } from "./upload-job.js";

/** Pauses before a file is read again: a phone's other app, which hands over a photo or a file of a cloud, may need a moment. */
const READ_AGAIN_MS = [200, 1_000];

/** What reading a file needs besides the file. */
type Reading = Pick<UploadJob, "runtime" | "signal">;

/**
 * Browsers notice only when they read a file that it was changed, moved or deleted.
 *
 * @throws {UploadError} file_unreadable
 * @throws the signal's reason when it aborts
 */
export async function assertReadable(reading: Reading, file: Blob): Promise<void> {
  const cause = await readError(reading, file);
  if (cause) throw new UploadError("file_unreadable", { cause });
}

/**
 * Throws when the file was changed during the PUT: storage may then have half of the old and half of the new version. A
 * file that was deleted during the PUT gives another error, and was sent as a whole.
 *
 * @throws {UploadError} file_unreadable
 * @throws the signal's reason when it aborts
 */
export async function assertUnchanged(reading: Reading, file: Blob): Promise<void> {
  const cause = await readError(reading, file);
  if (mayReadLater(cause)) throw new UploadError("file_unreadable", { cause });
}

/** Whether the file is there but could not be read. It was changed, or its app does not hand it over now. */
export const mayReadLater = (cause: unknown) => (cause as Error | null)?.name === "NotReadableError";

async function readError({ runtime, signal }: Reading, file: Blob): Promise<unknown> {
  let error = await readOnce(file);
  for (const delayMs of READ_AGAIN_MS) {
    // A source throws an error of its own, which this engine wraps.
    if (!mayReadLater(error) && !(error instanceof UploadError)) break;
    // Not `wait` of `runtime.ts`: a shared module would be a chunk of its own in the first view.
    await new Promise<void>((resolve) => void runtime.after(delayMs, resolve));
    signal.throwIfAborted();
    error = await readOnce(file);
  }
  return error;
}

/** @returns why not; null if the file can be read */
async function readOnce(file: Blob): Promise<unknown> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return null;
  } catch (cause) {
    return cause;
  }
}
