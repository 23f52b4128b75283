import { accepts, type Accept } from "./accept.js";

/** What a file must be to be taken. The same four members bind in the helper and are shown by the widget. */
export interface FileRules {
  accept?: Accept | undefined;
  /** Bytes a file may have at most. */
  maxSize?: number | undefined;
  /** Bytes a file must have at least. */
  minSize?: number | undefined;
  /** Files of one session of the widget. */
  maxFiles?: number | undefined;
}

export type BrokenRule = "file_type_not_accepted" | "file_too_large" | "file_too_small" | "too_many_files";

/** A file as far as it is known before its bytes are. */
export interface RuledFile {
  name: string;
  /** Media type; empty when nobody knows it. */
  type: string;
  /** Bytes. */
  size: number;
}

/**
 * The first rule that a file breaks, or null. It runs in the helper, where it binds, and in the widget, where it
 * spares a person the wait for the same no.
 *
 * @param filesBefore files of the session that count towards `maxFiles` already
 */
export function brokenRule(file: RuledFile, rules: FileRules, filesBefore: number): BrokenRule | null {
  const { accept, maxSize = Infinity, minSize = 0, maxFiles = Infinity } = rules;
  if (!accepts(accept, file)) return "file_type_not_accepted";
  if (file.size > maxSize) return "file_too_large";
  if (file.size < minSize) return "file_too_small";
  return filesBefore >= maxFiles ? "too_many_files" : null;
}
