import type { SharedCount, SharedCounters } from "./shared-counters.js";

/** Counts of this replica alone. See {@link SharedCounters}. */
export interface LocalCounters {
  add(...args: Parameters<SharedCounters["add"]>): SharedCount;
}

/** @param maxNames beyond it, the count that was not changed for the longest time is forgotten */
export function createLocalCounters(clock: () => Date, maxNames: number): LocalCounters {
  const counts = new Map<string, { count: number; endsAt: number }>();
  return {
    add(name, windowMs, amount = 1) {
      const now = clock().getTime();
      const known = counts.get(name);
      // The clock of a machine can be set back.
      const isRunning = known && known.endsAt > now && known.endsAt <= now + windowMs;
      const current = isRunning ? known : { count: 0, endsAt: now + windowMs };
      current.count += amount;
      // A map keeps its names in the order in which they were set.
      counts.delete(name);
      counts.set(name, current);
      for (const oldest of counts.keys()) {
        if (counts.size <= maxNames) break;
        counts.delete(oldest);
      }
      return { count: current.count, remainingMs: current.endsAt - now };
    },
  };
}
