/** How long a reading is used again, so that several scrapers cost as much as one. */
const KEEP_MS = 5000;
/** A scrape waits at most this long for a reading: much less than Prometheus' own limit of ten seconds. */
const WAIT_MS = 3000;

export interface CachedReadingOptions {
  keepMs?: number;
  waitMs?: number;
  /** Milliseconds of a clock that never goes back. @default performance.now */
  now?: () => number;
}

/**
 * Returns a function that reads something, or returns what was read shortly before. At most one read is running.
 *
 * @returns null if the read fails or takes too long. Never throws
 */
export function cacheReading<Value>(
  read: () => Promise<Value>,
  { keepMs = KEEP_MS, waitMs = WAIT_MS, now = () => performance.now() }: CachedReadingOptions = {},
): () => Promise<Value | null> {
  let kept: { value: Value | null; until: number } | undefined;
  let running: Promise<Value | null> | undefined;
  const start = async () => {
    const value = await read().catch(() => null);
    kept = { value, until: now() + keepMs };
    running = undefined;
    return value;
  };
  return () => {
    if (kept && now() < kept.until) return Promise.resolve(kept.value);
    running ??= start();
    return withinTime(running, waitMs);
  };
}

function withinTime<Value>(promise: Promise<Value | null>, ms: number): Promise<Value | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), ms);
    void promise.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
