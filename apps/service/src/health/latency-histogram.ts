/*
 * Durations, counted in buckets. The counts of several replicas and minutes can be added, and the percentile of the sum computed.
 * Percentiles themselves cannot be added.
 */

/** Each bucket ends at √2 times the end of the one before: 1 ms, 1.4 ms, 2 ms, … 32.8 s. The last one also has all longer durations. */
const RATIO = Math.SQRT2;
export const BUCKET_COUNT = 31;

/** The bucket of a duration. */
export function bucketOf(durationMs: number): number {
  const bucket = Math.ceil(Math.log(Math.max(durationMs, 1)) / Math.log(RATIO));
  return Math.min(bucket, BUCKET_COUNT - 1);
}

/**
 * Estimates the duration that a share of all requests did not exceed, within the limits of its bucket.
 *
 * @param counts of each bucket, as {@link bucketOf} numbers them
 * @param share such as 0.95
 * @returns milliseconds, or null if nothing was counted
 */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * total;
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && below + count >= rank) {
      const start = bucket === 0 ? 0 : RATIO ** (bucket - 1);
      return start + (RATIO ** bucket - start) * ((rank - below) / count);
    }
    below += count;
  }
  return RATIO ** (counts.length - 1);
}
