import { limits } from "@stowage/schemas";
import { expect, test } from "vitest";
import { sanitizeFilename } from "./object-key.js";

const MAX_BYTES = limits.objectKeyBytes - "projects//tenants//_".length - 3 * 22;

test.each([
  ["report-1.final_v2.pdf", "report-1.final_v2.pdf"],
  ["two  words (1).txt", "two_words_1_.txt"],
  ["a/b\\c.txt", "a_b_c.txt"],
  ["見積書 (最終).pdf", "見積書_最終_.pdf"],
  ["हिन्दी.txt", "हिन्दी.txt"],
  ["🙂🙂.png", "_.png"],
  ["..", ".."],
])("writes %j as %j", (filename, expected) => {
  expect(sanitizeFilename(filename)).toBe(expected);
});

test("shortens a long name between two characters, and keeps its extension", () => {
  const name = sanitizeFilename(`${"語".repeat(400)}.tar`);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(MAX_BYTES);
  expect(Buffer.byteLength(name)).toBeGreaterThan(MAX_BYTES - 3);
  expect(name).toMatch(/^語+\.tar$/);
});

test("does not keep a long text after the last dot as an extension", () => {
  const name = sanitizeFilename(`a.${"b".repeat(2000)}`);
  expect(name).toBe(`a.${"b".repeat(MAX_BYTES - 2)}`);
});
