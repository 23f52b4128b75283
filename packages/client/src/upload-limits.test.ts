import { accepts } from "@stowage/schemas/rules";
import { expect, test } from "vitest";
import { brokenLimit } from "./upload-limits.js";

const file = { name: "a.txt", type: "text/plain", size: 100 };

test.each([
  [{}, null],
  [{ accept: ".jpg" }, "file_type_not_accepted"],
  [{ maxSize: 99 }, "file_too_large"],
  [{ minSize: 101 }, "file_too_small"],
  [{ maxFiles: 3 }, null],
  [{ maxFiles: 2 }, "too_many_files"],
  [{ maxTotalSize: 1100 }, null],
  [{ maxTotalSize: 1099 }, "total_size_exceeded"],
  [{ maxTotalSize: 1, maxFiles: 1 }, "too_many_files"],
])("checks a file of 100 bytes, after 2 files of 1,000 bytes, against %j: %s", (limits, code) => {
  expect(brokenLimit(file, limits, { files: 2, bytes: 1000 }, accepts)).toBe(code);
});
