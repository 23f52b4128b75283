import { expect, test } from "vitest";
import { formatBytes } from "./format.js";
import { parseSizeInput, formatSizeInput } from "./size-input.js";

test.each([
  0,
  1,
  1000,
  1024,
  1536,
  5 * 1024 ** 3,
  5 * 1024 ** 3 - 1,
  1024 ** 4,
  5e9,
  1.5e12,
  15_360,
  1234567890,
])("formats and parses %i bytes without loss", (bytes) => {
  expect(parseSizeInput(formatSizeInput(bytes))).toBe(bytes);
});

test("formats a size as it was typed", () => {
  expect(formatBytes(parseSizeInput("5 GB")!)).toBe("5 GB");
  expect(formatBytes(parseSizeInput("500mb")!)).toBe("500 MB");
});

test("shows a size in the unit in which it is whole", () => {
  expect(formatSizeInput(4_000_000)).toBe("4 MB");
  expect(formatSizeInput(5 * 1024 ** 3)).toBe("5 GiB");
});

test.each(["", "5 apples", "-1 GB", "GB"])('rejects "%s"', (text) => {
  expect(parseSizeInput(text)).toBeNull();
});
