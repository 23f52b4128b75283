import { expect, test } from "vitest";
import { brokenRule } from "./broken-rule.js";
import type { FileRules } from "./file-rules.js";

const photo = { name: "photo.jpg", type: "image/jpeg", size: 100 };

test.each<[FileRules, number, string | null]>([
  [{}, 1000, null],
  [{ accept: "image/*", maxSize: 100, minSize: 100, maxFiles: 2 }, 1, null],
  [{ accept: ".pdf" }, 0, "file_type_not_accepted"],
  [{ maxSize: 99 }, 0, "file_too_large"],
  [{ minSize: 101 }, 0, "file_too_small"],
  [{ maxFiles: 2 }, 2, "too_many_files"],
  [{ accept: ".pdf", maxSize: 1 }, 0, "file_type_not_accepted"],
])("with the rules %j and %i files before, the broken rule is %s", (rules, filesBefore, broken) => {
  expect(brokenRule(photo, rules, filesBefore)).toBe(broken);
});
