import { createMd5Hasher } from "../resume/md5-hasher.js";
import type { Runtime } from "../runtime.js";
import type { PutTarget } from "../transport.js";
import { UploadError } from "../upload-error.js";

/**
 * Adds the MD5 of the bytes to the headers of a PUT. The URL does not sign it, and storage checks it anyway.
 *
 * @throws {UploadError} file_unreadable
 */
export async function addMd5(
  runtime: Pick<Runtime, "after">,
  target: PutTarget,
  bytes: Blob,
): Promise<PutTarget> {
  const hasher = createMd5Hasher(runtime);
  try {
    const hex = await hasher.md5Of(bytes);
    const md5 = btoa(hex.replaceAll(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))));
    return { ...target, headers: { ...target.headers, "Content-MD5": md5 } };
  } catch (cause) {
    throw new UploadError("file_unreadable", { cause });
  } finally {
    hasher.close();
  }
}

export const codeName = "add-md5";
