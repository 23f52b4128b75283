import { expect, test } from "vitest";
import { parseSize, type Size } from "./size.js";

test.each<[Size, number]>([
  [0, 0],
  [1234, 1234],
  ["12B", 12],
  ["4MB", 4_000_000],
  ["4 MB", 4_000_000],
  ["1.5KB", 1500],
  ["4.35KB", 4350],
  ["5GB", 5_000_000_000],
  ["1.1 GB", 1_100_000_000],
  ["1TB", 1_000_000_000_000],
  ["4MiB", 4 * 1024 ** 2],
  ["1.5 KiB", 1536],
  ["5GiB", 5 * 1024 ** 3],
  ["1TiB", 1024 ** 4],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
])("reads %s as %i bytes", (size, bytes) => {
  expect(parseSize(size)).toBe(bytes);
});

test("reads units in lower case, as people type them", () => {
  expect([parseSize("5 gb" as Size), parseSize("4mib" as Size)]).toEqual([5_000_000_000, 4_194_304]);
});

test.each(["", "MB", "4iB", "4KI", "4 apples", "-1MB", "1.2.3MB", -1, Number.NaN, Infinity, 2 ** 60, null])(
  "refuses %s",
  (size) => {
    expect(() => parseSize(size as Size)).toThrow(TypeError);
  },
);
