import { setTimeout as sleep } from "node:timers/promises";

/** Something that is done again and again until it is stopped. */
export interface Job {
  /** Resolves when the turn under way, if any, has ended. */
  stop(): Promise<void>;
}

/** While storage or the database is away, the pause doubles up to this, if it was shorter. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * Repeats `work` for as long as the service runs. Any number of replicas may do so at once.
 *
 * @param work resolves with whether there is more to do at once
 * @param intervalMs between two turns that found little to do
 */
export function repeat(
  work: () => Promise<boolean>,
  intervalMs: number,
  onError: (error: unknown) => void,
): Job {
  const stopping = new AbortController();
  const run = async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      let hasMore = false;
      try {
        hasMore = await work();
        failures = 0;
      } catch (error) {
        failures++;
        onError(error);
      }
      const backedOffMs = Math.min(LONGEST_PAUSE_MS, intervalMs * 2 ** failures);
      const pauseMs = hasMore ? 0 : Math.max(intervalMs, backedOffMs);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}
