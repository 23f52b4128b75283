import { expect, test } from "vitest";
import { choosePartSize, countParts, sizeOfPart } from "./part-sizes.js";

const MiB = 1024 ** 2;

test("chooses parts of 8 MiB, and larger ones in whole MiB when there would be more than 10,000", () => {
  expect(choosePartSize(1)).toBe(8 * MiB);
  expect(choosePartSize(80_000 * MiB)).toBe(8 * MiB);
  expect(choosePartSize(80_000 * MiB + 1)).toBe(9 * MiB);
  expect(choosePartSize(5 * 1024 ** 4)).toBe(525 * MiB);
  expect(countParts(5 * 1024 ** 4, choosePartSize(5 * 1024 ** 4))).toBeLessThanOrEqual(10_000);
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
