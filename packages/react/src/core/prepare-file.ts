import { UploadError, type UploadErrorCode } from "./upload-error.js";
import type { UploadSettings } from "./upload-settings.js";

/**
 * Lets the page look at a file, and change it, before anything is sent.
 *
 * @throws {UploadError} file_refused with the page's sentence; validation_failed, transform_failed when its code threw
 */
export async function prepareFile(
  file: File,
  { validate, transform }: Pick<UploadSettings, "validate" | "transform">,
  signal: AbortSignal,
): Promise<File> {
  let code: UploadErrorCode = "validation_failed";
  let refusal: string | null | undefined;
  let made: Blob = file;
  try {
    refusal = await validate?.(file, { signal });
    code = "transform_failed";
    if (!refusal && transform) made = await transform(file, { signal });
    // By shape: a blob of another window is one too. Anything else would be sent as its text.
    if (!(made.size >= 0)) throw made;
  } catch (cause) {
    throw new UploadError(code, { cause });
  }
  if (refusal) throw new UploadError("file_refused", { detail: refusal });
  return made instanceof File ? made : new File([made], file.name, { type: made.type });
}
