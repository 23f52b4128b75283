import { CountMinSketch } from "#lib/count-min-sketch.js";
import type { RandomBytes } from "#lib/random.js";
import type { SharedCounters } from "#lib/shared-counters.js";
import { MINUTE_MS, SECOND_MS } from "#lib/time.js";

/** Limits how often each client may fail with a missing, malformed or unknown API key (docs/decisions/0024), or with a share link. */
export interface FailingKeys {
  /**
   * Returns how long the client may not try keys that are not known to be valid. 0: it may.
   *
   * @param client the result of `clientNetwork`
   */
  secondsToWait(client: string): number;
  /** Counts a failure of the client. Resolves when the other replicas can know of it. */
  record(client: string): Promise<void>;
}

export interface FailingKeysDeps {
  clock: () => Date;
  randomBytes: RandomBytes;
  /** Null: this replica counts alone. */
  sharedCounters: SharedCounters | null;
}

const SEED_BYTES = 16;
/** A client is counted in the shared store only after this share of its limit, so that millions of addresses do not fill the store. */
const UNSHARED_PART = 1 / 30;

/**
 * The windows are the minutes of the clock, so that they are the same for all replicas.
 *
 * @param maxPerMinute 0: no limit
 * @param kind what is counted, for the shared store. @default "failing-keys"
 */
export function createFailingKeys(
  deps: FailingKeysDeps,
  maxPerMinute: number,
  kind = "failing-keys",
): FailingKeys {
  if (maxPerMinute === 0) return { secondsToWait: () => 0, record: async () => undefined };
  // Anyone can fail from millions of addresses. A map of them would need memory without a bound, or forget some of them.
  const failures = new CountMinSketch(deps.randomBytes(SEED_BYTES));
  const sharedFrom = Math.ceil(maxPerMinute * UNSHARED_PART);
  let minute = 0;

  /** @returns how long the minute still lasts */
  function startMinute(): number {
    const now = deps.clock().getTime();
    const current = Math.floor(now / MINUTE_MS);
    if (current !== minute) failures.clear();
    minute = current;
    return (current + 1) * MINUTE_MS - now;
  }

  return {
    secondsToWait(client) {
      const remainingMs = startMinute();
      return failures.count(client) < maxPerMinute ? 0 : Math.max(1, Math.ceil(remainingMs / SECOND_MS));
    },
    async record(client) {
      startMinute();
      const countedIn = minute;
      const count = failures.add(client);
      if (count < sharedFrom) return;
      const amount = count === sharedFrom ? sharedFrom : 1;
      const name = `${kind}:${countedIn}:${client}`;
      const shared = await deps.sharedCounters?.add(name, MINUTE_MS, amount);
      if (shared && minute === countedIn) failures.raise(client, shared.count);
    },
  };
}
