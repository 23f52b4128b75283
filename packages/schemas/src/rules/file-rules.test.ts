import { expect, it } from "vitest";
import { brokenRule, type FileRules } from "./file-rules.js";

const photo = { name: "photo.jpg", type: "image/jpeg", size: 100 };

it.each<[FileRules, number, string | null]>([
  [{}, 1000, null],
  [{ accept: "image/*", maxSize: 100, minSize: 100, maxFiles: 2 }, 1, null],
  [{ accept: ".pdf" }, 0, "file_type_not_accepted"],
  [{ maxSize: 99 }, 0, "file_too_large"],
  [{ minSize: 101 }, 0, "file_too_small"],
  [{ maxFiles: 2 }, 2, "too_many_files"],
  [{ accept: ".pdf", maxSize: 1 }, 0, "file_type_not_accepted"],
])("judges by %j with %i files before: %s", (rules, filesBefore, broken) => {
  expect(brokenRule(photo, rules, filesBefore)).toBe(broken);
});
