import { setTimeout as sleep } from "node:timers/promises";

/**
 * Delays a refusal if its client is refused again and again, or if all clients together are. A client that repeats refused requests
 * without a pause would keep the event loop busy, and all other clients would wait. The delay limits each of its connections to a few
 * requests per second. Without it, 600 connections delayed the uploads of another project by 2 s instead of some milliseconds
 * (`npx pnpm lab bench fairness`).
 *
 * @param client the result of `clientNetwork`
 * @param hold `long` for a client that has no valid key and is beyond its limit. @default short for the first refusals of a second that
 * are delayed, then long
 */
export type HoldRefusal = (client: string, hold?: "short" | "long") => Promise<void>;

/** So many refusals in a second are answered immediately. All clients together have a limit because a flood may have many addresses. */
const FREE_PER_SECOND = { ofClient: 20, ofAll: 500 };
/** Beyond so many, the flood has so many connections that short delays do not slow it down. */
const SHORT_PER_SECOND = { ofClient: 200, ofAll: 1000 };
/** Delays differ, so that held requests do not come back at the same time. */
const HOLDS_MS = { short: { min: 150, max: 350 }, long: { min: 1000, max: 2000 } };
/** Further refusals are answered immediately, because each one that is held uses memory. */
const MAX_HELD = 2000;

/**
 * @param now milliseconds of a clock that never goes back. @default performance.now
 * @param wait resolves after so many milliseconds. @default a timer
 */
export function createRefusalHold(
  now: () => number = () => performance.now(),
  wait: (ms: number) => Promise<void> = (ms) => sleep(ms),
): HoldRefusal {
  let refusals = new Map<string, number>();
  let refusalsOfAll = 0;
  let windowEndsAt = 0;
  let held = 0;
  let count = 0;

  /** @returns how many refusals of the client this second has seen, or 1 if many other clients were refused before it */
  function countRefusal(client: string): number {
    if (now() >= windowEndsAt) {
      refusals = new Map();
      refusalsOfAll = 0;
      windowEndsAt = now() + 1000;
    }
    refusalsOfAll++;
    const ofClient = (refusals.get(client) ?? 0) + 1;
    // The map gets no more entries in this second, so its size has a bound.
    if (ofClient > 1 || refusalsOfAll <= FREE_PER_SECOND.ofAll) refusals.set(client, ofClient);
    return ofClient;
  }

  return async (client, hold = "short") => {
    const ofClient = countRefusal(client);
    const isWithin = (limit: typeof FREE_PER_SECOND) =>
      ofClient <= limit.ofClient && refusalsOfAll <= limit.ofAll;
    if (isWithin(FREE_PER_SECOND) || held >= MAX_HELD) return;
    held++;
    const { min, max } = HOLDS_MS[isWithin(SHORT_PER_SECOND) ? hold : "long"];
    // 97 shares no factor with the ranges, so the delays take all values in turns.
    await wait(min + ((count++ * 97) % (max - min)));
    held--;
  };
}
