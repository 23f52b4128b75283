import { deliveryLeaseMs } from "@stowage/operator-schemas";

const MIN_INTERVAL_MS = 2_000;
/** Another operator may redeliver an event earlier. */
const MAX_INTERVAL_MS = 60_000;

/** When to load deliveries again, because one that waits may have been tried by then: a `refetchInterval`, or false if none waits. */
export function untilNextTry(deliveries: { nextAttemptAt: string | null }[], nowMs: number): number | false {
  // While a try is running, `nextAttemptAt` is the end of its lease. The try usually ends much earlier.
  const waits = deliveries.flatMap(({ nextAttemptAt }) =>
    nextAttemptAt === null ? [] : [Date.parse(nextAttemptAt) - deliveryLeaseMs - nowMs],
  );
  return waits.length > 0 && Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, Math.min(...waits)));
}
