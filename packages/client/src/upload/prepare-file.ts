import { nameForMediaType } from "@stowage/schemas/rules";
import { UploadError, type UploadErrorCode } from "../upload-error.js";
import { isSource } from "./source-file.js";
import type { UploadSettings } from "../upload-settings.js";

/**
 * Runs the page's `validate` and `transform` on a file.
 *
 * @returns the file to send. If `transform` made another type and gave no other name, it has the extension of that type
 * @throws {UploadError} file_not_saved for a message without content; file_refused with the text of `validate`; validation_failed or
 *   transform_failed when the page's code threw; an UploadError of the page's code, unchanged
 */
export async function prepareFile(
  file: File,
  { validate, transform }: Pick<UploadSettings, "validate" | "transform">,
  signal: AbortSignal,
): Promise<File> {
  if (isUnsavedMessage(file)) throw new UploadError("file_not_saved");
  const refusal = await runPageCode("validation_failed", () => validate?.(file, { signal }));
  if (refusal) throw new UploadError("file_refused", { detail: refusal });
  const prepared = await runPageCode("transform_failed", async () =>
    assertBlob(transform ? await transform(file, { signal }) : file),
  );
  // What `transform` did not change.
  if (prepared === file) return file;
  const name = prepared instanceof File ? prepared.name : file.name;
  const fitting =
    name === file.name && prepared.type !== file.type ? nameForMediaType(name, prepared.type) : name;
  if (prepared instanceof File && fitting === name) return prepared;
  const bytes = isSource(prepared) ? await prepared.bytes() : prepared;
  return new File([bytes], fitting, { type: prepared.type });
}

/**
 * Mail programs give browsers an empty file for a message, an appointment or a contact that is dragged, because it is not on a disk. Such
 * a file is never empty otherwise, unlike a text.
 */
function isUnsavedMessage({ name, size }: File): boolean {
  return size === 0 && /\.(msg|eml|emlx|oft|ics|vcf)$/i.test(name);
}

async function runPageCode<Result>(
  code: UploadErrorCode,
  run: () => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    throw cause instanceof UploadError ? cause : new UploadError(code, { cause });
  }
}

/** Checks the shape, because `instanceof` is false for a blob of another window. Other values would be sent as text. */
function assertBlob(value: Blob): Blob {
  if (typeof value?.size !== "number") throw new TypeError("transform returned no Blob");
  return value;
}
