import { UploadError } from "../upload-error.js";

/**
 * Browsers notice only when they read a file that it was changed, moved or deleted.
 *
 * @throws {UploadError} file_unreadable
 */
export async function assertReadable(file: Blob): Promise<void> {
  const cause = await readError(file);
  if (cause) throw new UploadError("file_unreadable", { cause });
}

/**
 * Throws when the file was changed during the PUT: storage may then have half of the old and half of the new version. A
 * file that was deleted during the PUT gives another error, and was sent as a whole.
 *
 * @throws {UploadError} file_unreadable
 */
export async function assertUnchanged(file: Blob): Promise<void> {
  const cause = await readError(file);
  if (cause?.name === "NotReadableError") throw new UploadError("file_unreadable", { cause });
}

async function readError(file: Blob): Promise<Error | null> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return null;
  } catch (cause) {
    return cause as Error;
  }
}
