import { expect, test } from "vitest";
import { withUsedBytes } from "./used-per-day.js";

const day = (day: string, uploadedBytes: number, deletedBytes: number) => ({
  day,
  uploadedBytes,
  deletedBytes,
});

test("the storage at the end of each day follows from today's and the changes since", () => {
  const days = [day("2026-01-01", 100, 0), day("2026-01-02", 0, 0), day("2026-01-03", 30, 50)];
  expect(withUsedBytes(days, 180).map(({ usedBytes }) => usedBytes)).toEqual([200, 200, 180]);
});

test("a day is never below zero, and a project without changes has the same storage each day", () => {
  expect(
    withUsedBytes([day("2026-01-01", 0, 0), day("2026-01-02", 50, 0)], 40).map((each) => each.usedBytes),
  ).toEqual([0, 40]);
  expect(
    withUsedBytes([day("2026-01-01", 0, 0), day("2026-01-02", 0, 0)], 7).map((each) => each.usedBytes),
  ).toEqual([7, 7]);
});
