import type { Accept } from "./accept.js";
import { accepts } from "./accepts.js";
import { brokenBound } from "./bounds.js";

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

/**
 * Returns the error code of the first rule that a file breaks, or null. The helper enforces the rules; the widget checks
 * them too, so that users learn of a refusal immediately.
 *
 * @param filesBefore files of the session that already count towards `maxFiles`
 * @example brokenRule({ name: "a.jpg", type: "image/jpeg", size: 5_000_000 }, { maxSize: 4_000_000 }, 0) // "file_too_large"
 */
export function brokenRule(file: RuledFile, rules: FileRules, filesBefore: number): BrokenRule | null {
  return accepts(rules.accept, file) ? brokenBound(file, rules, filesBefore) : "file_type_not_accepted";
}
