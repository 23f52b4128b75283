export interface Point {
  at: number;
  value: number;
}

/** How much a value may grow in the second half of a run. */
export interface Bound {
  absolute: number;
  /** A share of the median. */
  relative: number;
}

export interface Trend {
  median: number;
  /** The growth over the second half. */
  growth: number;
  allowed: number;
  isFlat: boolean;
}

/** Fewer points in the second half show no trend. */
const MIN_POINTS = 6;

/**
 * Judges whether a value grows without an end. It takes the second half of the points, because caches fill in the first one, and the
 * median of the slopes between all pairs of points (Theil-Sen), so that one outlier does not decide.
 *
 * @returns null if there are too few points
 */
export function judgeTrend(points: Point[], bound: Bound): Trend | null {
  const sorted = points.toSorted((a, b) => a.at - b.at);
  const half = sorted.slice(Math.floor(sorted.length / 2));
  if (half.length < MIN_POINTS) return null;
  const slopes = half.flatMap((from, i) =>
    half.slice(i + 1).map((to) => (to.value - from.value) / (to.at - from.at)),
  );
  const median = medianOf(half.map(({ value }) => value));
  const growth = medianOf(slopes) * (half.at(-1)!.at - half[0]!.at);
  const allowed = Math.max(bound.absolute, bound.relative * median);
  return { median, growth, allowed, isFlat: growth <= allowed };
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
