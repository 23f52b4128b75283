import { type Accept, brokenBound, type FileRules, type RuledFile } from "@stowage/schemas/page-rules";
import type { UploadErrorCode } from "./upload-error.js";

/** The limits in force: the limits of the page and, where the page sets none, the limits of the route. Sizes are in bytes. */
export interface UploadLimits extends FileRules {
  maxTotalSize?: number | undefined;
}

/** The files of the session that count toward `maxFiles` and `maxTotalSize`. */
export interface SessionUsage {
  files: number;
  bytes: number;
}

/**
 * Returns the code of the first limit that a file would break, or null.
 *
 * @param isAccepted checks `accept`. It is an argument because the code of the first view has no table of media types
 */
export function brokenLimit(
  file: RuledFile,
  limits: UploadLimits,
  usage: SessionUsage,
  isAccepted: (accept: Accept | undefined, file: RuledFile) => boolean,
): UploadErrorCode | null {
  const { maxTotalSize = Number.POSITIVE_INFINITY } = limits;
  if (!isAccepted(limits.accept, file)) return "file_type_not_accepted";
  const code = brokenBound(file, limits, usage.files);
  if (code) return code;
  return usage.bytes + file.size > maxTotalSize ? "total_size_exceeded" : null;
}
