import { accepts, type Accept } from "./accepts.js";
import type { UploadErrorCode } from "./upload-error.js";

/** What may be chosen. The backend has the last word; these spare a person the wait for its no. */
export interface UploadLimits {
  accept?: Accept | undefined;
  /** Bytes a file may have at most. */
  maxSize?: number | undefined;
  /** Bytes a file must have at least. */
  minSize?: number | undefined;
  /** Files in the list at once, whatever became of them; refused ones do not count. */
  maxFiles?: number | undefined;
}

/**
 * The first limit that a file breaks, or null.
 *
 * @param filesBefore how many files count towards `maxFiles` already
 */
export function validateFile(file: File, limits: UploadLimits, filesBefore: number): UploadErrorCode | null {
  if (!accepts(limits.accept, file)) return "file_type_not_accepted";
  if (limits.maxSize !== undefined && file.size > limits.maxSize) return "file_too_large";
  if (limits.minSize !== undefined && file.size < limits.minSize) return "file_too_small";
  if (limits.maxFiles !== undefined && filesBefore >= limits.maxFiles) return "too_many_files";
  return null;
}

/** A file that was refused on adding: it takes no place of `maxFiles`. */
export function isRefusal(code: UploadErrorCode, status: number): boolean {
  return (
    status === 0 &&
    (code === "file_type_not_accepted" ||
      code === "file_too_large" ||
      code === "file_too_small" ||
      code === "too_many_files")
  );
}
