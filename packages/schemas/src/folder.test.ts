import { expect, test } from "vitest";
import { folder } from "./folder.js";

const parsed = (text: unknown) => {
  const result = folder.safeParse(text);
  return result.success ? result.data : result.error.issues[0]?.message;
};

test.each([
  ["", ""],
  ["a", "a"],
  ["reports/2026 (final)/ä", "reports/2026 (final)/ä"],
  ["e\u0301/..e", "\u00e9/..e"],
  ["x".repeat(255), "x".repeat(255)],
  [Array(16).fill("🎈".repeat(255)).join("/"), Array(16).fill("🎈".repeat(255)).join("/")],
  [" / ", " / "],
])("the folder %j is %j", (text, normalized) => {
  expect(parsed(text)).toBe(normalized);
});

test.each([
  ["/", 'a segment of folder must not be empty, "." or ".."'],
  ["a/", 'a segment of folder must not be empty, "." or ".."'],
  ["..", 'a segment of folder must not be empty, "." or ".."'],
  ["a/./b", 'a segment of folder must not be empty, "." or ".."'],
  ["a\u0085b", "a segment of folder must not contain control characters"],
  ["\udc00", "a segment of folder must be valid Unicode"],
  ["x".repeat(256), "a segment of folder must be at most 255 characters"],
  ["a/".repeat(16) + "a", "folder must have at most 16 segments"],
  [undefined, "folder must be a string"],
  [["a"], "folder must be a string"],
])("the folder %j is refused: %s", (text, message) => {
  expect(parsed(text)).toBe(message);
});

test("refuses a long run of combining marks before it is normalised, which takes quadratic time", () => {
  expect(parsed(`a${"\u0301\u0327".repeat(500_000)}`)).toBe(
    "a segment of folder must be at most 255 characters",
  );
});
