const SAMPLE_MS = 10;

/** Measures the longest time in which a counter did not change. */
export function measureLongestGap(count: () => number): { stop(): number } {
  let last = count();
  let changedAt = performance.now();
  let longestMs = 0;
  const sample = () => {
    if (count() === last) return;
    longestMs = Math.max(longestMs, performance.now() - changedAt);
    last = count();
    changedAt = performance.now();
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return Math.round(longestMs);
    },
  };
}
