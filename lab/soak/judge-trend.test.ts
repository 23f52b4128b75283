import { expect, test } from "vitest";
import { judgeTrend, type Point } from "./judge-trend.js";

const MINUTES = 30;
const bound = { absolute: 3, relative: 0.06 };
/** A value that varies by itself, as a heap does after each garbage collection. */
const points = (valueAt: (minute: number) => number): Point[] =>
  Array.from({ length: MINUTES }, (_, minute) => ({
    at: minute * 60_000,
    value: valueAt(minute) + Math.sin(minute * 7),
  }));

test("finds a heap that grows without an end", () => {
  expect(
    judgeTrend(
      points((minute) => 40 + minute),
      bound,
    ),
  ).toMatchObject({ isFlat: false });
});

test("accepts a heap that varies, fills its caches first, or has one outlier", () => {
  expect(
    judgeTrend(
      points(() => 40),
      bound,
    ),
  ).toMatchObject({ isFlat: true });
  expect(
    judgeTrend(
      points((minute) => Math.min(60, 40 + 4 * minute)),
      bound,
    ),
  ).toMatchObject({ isFlat: true });
  expect(
    judgeTrend(
      points((minute) => (minute === 25 ? 400 : 40)),
      bound,
    ),
  ).toMatchObject({ isFlat: true });
});

test("does not judge a run with too few samples", () => {
  expect(judgeTrend(points(() => 40).slice(0, 8), bound)).toBeNull();
});
