import { expect, test } from "vitest";
import { parseSize, type Size } from "./size.js";

test.each<[Size, number]>([
  [0, 0],
  [1234, 1234],
  ["12B", 12],
  ["4MB", 4 * 1024 ** 2],
  ["4 MB", 4 * 1024 ** 2],
  ["1.5KB", 1536],
  ["5GB", 5 * 1024 ** 3],
  ["1TB", 1024 ** 4],
])("reads %s as %i bytes", (size, bytes) => {
  expect(parseSize(size)).toBe(bytes);
});

test.each(["", "MB", "4 apples", "-1MB", "1.2.3MB", -1, Number.NaN, Infinity, 2 ** 60, null])(
  "refuses %s",
  (size) => {
    expect(() => parseSize(size as Size)).toThrow(TypeError);
  },
);
