import type { BrowserOpenUpload } from "@stowage/schemas";
import { contentHash, inputHash, parseFingerprint } from "./fingerprint.js";

/**
 * Tells whether a file that a person chose can belong to an upload. A wrong answer cannot mix two files, because parts are
 * compared before they are skipped.
 *
 * @throws the browser's error for a file that cannot be read
 */
export async function isFileOf(upload: BrowserOpenUpload, file: File): Promise<boolean> {
  if (file.size !== upload.declared_size) return false;
  const fingerprint = parseFingerprint(upload.fingerprint);
  return fingerprint ? fingerprint.content === (await contentHash(file)) : isNameOf(upload, file);
}

/**
 * Tells whether a file that was added belongs to an upload, without a person saying so. The name and the input must be the same
 * too, because an open upload keeps its own.
 *
 * @throws the browser's error for a file that cannot be read
 */
export async function continues(upload: BrowserOpenUpload, file: File, input: unknown): Promise<boolean> {
  const hasSameInput = parseFingerprint(upload.fingerprint)?.input === inputHash(input);
  return hasSameInput && isNameOf(upload, file) && isFileOf(upload, file);
}

/** Some systems write the same name with other code points. */
export function isNameOf(upload: Pick<BrowserOpenUpload, "filename">, file: Pick<File, "name">): boolean {
  return upload.filename.normalize() === file.name.normalize();
}
