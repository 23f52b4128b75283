const MIN_INTERVAL_MS = 2_000;
/** A try takes about this long. */
const TRY_MS = 1_000;
/** Another operator may redeliver an event earlier. */
const MAX_INTERVAL_MS = 60_000;

/** When to load deliveries again, because one that waits may have been tried by then: a `refetchInterval`, or false if none waits. */
export function untilNextTry(deliveries: { nextAttemptAt: string | null }[], nowMs: number): number | false {
  const tries = deliveries.flatMap(({ nextAttemptAt }) =>
    nextAttemptAt === null ? [] : [Date.parse(nextAttemptAt) + TRY_MS - nowMs],
  );
  return tries.length > 0 && Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, Math.min(...tries)));
}
