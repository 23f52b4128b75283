import { accepts } from "./accepts.js";
import { brokenBound, type BrokenRule, type FileRules, type RuledFile } from "./file-rules.js";

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
