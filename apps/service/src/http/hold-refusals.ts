import { setTimeout as sleep } from "node:timers/promises";

/**
 * Delays a refusal if its client is refused again and again. A client that repeats refused requests without a pause would keep the event
 * loop busy, and everybody else would wait. The delay limits each of its connections to a few requests per second. Without it, 600
 * connections delayed the uploads of another project by 2 s instead of some milliseconds (`npx pnpm bench fairness`).
 */
export type HoldRefusal = (clientAddress: string) => Promise<void>;

/** So many refusals of one client in a second are answered immediately. */
const FREE_PER_SECOND = 20;
/** Delays differ, so that held requests do not come back at the same time. */
const MIN_HOLD_MS = 150;
const MAX_HOLD_MS = 350;
/** Further refusals are answered immediately, because each one that is held uses memory. */
const MAX_HELD = 2000;

export function createRefusalHold(now: () => number = () => performance.now()): HoldRefusal {
  let refusals = new Map<string, number>();
  let windowEndsAt = 0;
  let held = 0;
  let count = 0;

  return async (clientAddress) => {
    if (now() >= windowEndsAt) {
      refusals = new Map();
      windowEndsAt = now() + 1000;
    }
    const seen = (refusals.get(clientAddress) ?? 0) + 1;
    refusals.set(clientAddress, seen);
    if (seen <= FREE_PER_SECOND || held >= MAX_HELD) return;
    held++;
    // 97 shares no factor with the range, so the delays take all values in turns.
    await sleep(MIN_HOLD_MS + ((count++ * 97) % (MAX_HOLD_MS - MIN_HOLD_MS)));
    held--;
  };
}
