import type { Accept } from "./accept.js";

/** The rules for one file. The helper enforces them, and the widget shows them. Every rule is optional. */
export interface FileRules {
  accept?: Accept | undefined;
  /** Largest size of a file, in bytes. */
  maxSize?: number | undefined;
  /** Smallest size of a file, in bytes. */
  minSize?: number | undefined;
  /** Most files of one session of the widget. */
  maxFiles?: number | undefined;
}

/** The error code of the rule that a file breaks. */
export type BrokenRule = "file_type_not_accepted" | "file_too_large" | "file_too_small" | "too_many_files";

/** What is known about a file before its bytes are read. */
export interface RuledFile {
  name: string;
  /** Media type; empty if it is unknown. */
  type: string;
  /** Bytes. */
  size: number;
}

/** Returns the error code of the first rule other than `accept` that a file breaks, or null. The table of media types is not needed. */
export function brokenBound(
  file: Pick<RuledFile, "size">,
  { maxSize = Infinity, minSize = 0, maxFiles = Infinity }: FileRules,
  filesBefore: number,
): Exclude<BrokenRule, "file_type_not_accepted"> | null {
  if (file.size > maxSize) {
    return "file_too_large";
  }
  if (file.size < minSize) {
    return "file_too_small";
  }
  return filesBefore >= maxFiles ? "too_many_files" : null;
}
