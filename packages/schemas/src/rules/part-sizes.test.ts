import { expect, test } from "vitest";
import { choosePartSize, countParts, sizeOfPart } from "./part-sizes.js";

const MiB = 1024 ** 2;

test.each([
  [1, 5, 1],
  [32, 5.375, 6],
  [59, 9.875, 6],
  [60, 5, 12],
  [96, 5.375, 18],
  [256, 5.375, 48],
  [1024, 5.0625, 203],
])("splits %i MiB into parts of %f MiB: full rounds of six, of 5 to 10 MiB", (size, expected, count) => {
  const partSizeBytes = choosePartSize(size * MiB);
  expect(partSizeBytes / MiB).toBe(expected);
  expect(countParts(size * MiB, partSizeBytes)).toBe(count);
});

test("chooses larger parts in whole MiB when there would be more than 10,000", () => {
  expect(choosePartSize(50_000 * MiB)).toBe(5.0625 * MiB);
  expect(choosePartSize(52_000 * MiB)).toBe(6 * MiB);
  expect(choosePartSize(5 * 1024 ** 4)).toBe(525 * MiB);
  expect(countParts(5 * 1024 ** 4, choosePartSize(5 * 1024 ** 4))).toBeLessThanOrEqual(10_000);
});

test("chooses larger parts in whole MiB for storage that takes fewer", () => {
  expect(choosePartSize(5 * 1024 ** 3, 1000)).toBe(6 * MiB);
  expect(countParts(5 * 1024 ** 3, choosePartSize(5 * 1024 ** 3, 1000))).toBe(854);
  expect(choosePartSize(1024 * MiB, 1000)).toBe(choosePartSize(1024 * MiB));
});

test.each([
  [20, 8, [8, 8, 4]],
  [16, 8, [8, 8]],
  [1, 8, [1]],
])("splits %i bytes into parts of %i bytes and the rest", (sizeBytes, partSizeBytes, expected) => {
  const count = countParts(sizeBytes, partSizeBytes);
  const sizes = Array.from({ length: count }, (_, index) =>
    sizeOfPart(index + 1, { sizeBytes, partSizeBytes }),
  );
  expect(sizes).toEqual(expected);
});
