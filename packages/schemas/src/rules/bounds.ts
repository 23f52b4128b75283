import type { BrokenRule, FileRules, RuledFile } from "./file-rules.js";

/** As {@link brokenRule}, without `accept`, which needs the table of media types. */
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
