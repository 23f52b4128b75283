import { setTimeout as sleep } from "node:timers/promises";

/**
 * Delays a refusal if its client is refused again and again, or if all clients together are. A client that repeats refused requests
 * without a pause would keep the event loop busy, and all other clients would wait. The delay limits each of its connections to a few
 * requests per second. Without it, 600 connections delayed the uploads of another project by 2 s instead of some milliseconds
 * (`npx pnpm bench fairness`).
 *
 * @param client the result of `clientNetwork`
 * @param hold `long` for a client that has no valid key and is beyond its limit. @default short
 */
export type HoldRefusal = (client: string, hold?: "short" | "long") => Promise<void>;

/** So many refusals of one client in a second are answered immediately. */
const FREE_PER_SECOND = 20;
/** The same for all clients together: the refused requests may come from as many addresses. */
const FREE_PER_SECOND_OF_ALL = 500;
/** Delays differ, so that held requests do not come back at the same time. */
const HOLDS_MS = { short: { min: 150, max: 350 }, long: { min: 1000, max: 2000 } };
/** Further refusals are answered immediately, because each one that is held uses memory. */
const MAX_HELD = 2000;

export function createRefusalHold(now: () => number = () => performance.now()): HoldRefusal {
  let refusals = new Map<string, number>();
  let refusalsOfAll = 0;
  let windowEndsAt = 0;
  let held = 0;
  let count = 0;

  function isFree(client: string): boolean {
    if (now() >= windowEndsAt) {
      refusals = new Map();
      refusalsOfAll = 0;
      windowEndsAt = now() + 1000;
    }
    refusalsOfAll++;
    // The map needs no more entries in this second, so its size has a bound.
    if (refusalsOfAll > FREE_PER_SECOND_OF_ALL) return false;
    const seen = (refusals.get(client) ?? 0) + 1;
    refusals.set(client, seen);
    return seen <= FREE_PER_SECOND;
  }

  return async (client, hold = "short") => {
    if (isFree(client) || held >= MAX_HELD) return;
    held++;
    const { min, max } = HOLDS_MS[hold];
    // 97 shares no factor with the ranges, so the delays take all values in turns.
    await sleep(min + ((count++ * 97) % (max - min)));
    held--;
  };
}
