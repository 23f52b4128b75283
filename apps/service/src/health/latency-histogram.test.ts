import { expect, test } from "vitest";
import { BUCKET_COUNT, bucketOf, percentile } from "./latency-histogram.js";

function count(durationsMs: number[]): number[] {
  const counts = Array.from({ length: BUCKET_COUNT }, () => 0);
  for (const durationMs of durationsMs) counts[bucketOf(durationMs)]!++;
  return counts;
}

test.each([0.2, 1, 7, 99.5, 1234, 30_000])(
  "the percentiles of equal durations of %d ms are within a bucket",
  (ms) => {
    const counts = count(Array.from({ length: 20 }, () => ms));
    expect(percentile(counts, 0.95)!).toBeGreaterThanOrEqual(ms < 1 ? 0 : ms / Math.SQRT2);
    expect(percentile(counts, 0.95)!).toBeLessThanOrEqual(Math.max(ms, 1) * Math.SQRT2);
  },
);

test("added counts of two replicas give the percentile of all their requests", () => {
  const fast = count(Array.from({ length: 90 }, () => 10));
  const slow = count(Array.from({ length: 10 }, () => 800));
  const all = fast.map((requests, bucket) => requests + slow[bucket]!);
  expect(percentile(all, 0.5)!).toBeLessThan(12);
  expect(percentile(all, 0.95)!).toBeGreaterThan(700);
});

test("a duration beyond the last bucket is counted in it, and nothing counted has no percentile", () => {
  expect(bucketOf(3_600_000)).toBe(BUCKET_COUNT - 1);
  expect(percentile(count([]), 0.95)).toBeNull();
});
