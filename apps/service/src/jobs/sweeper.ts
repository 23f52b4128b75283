import { setTimeout as sleep } from "node:timers/promises";
import { sweepUploads, type SweepDeps } from "#files/sweep-uploads.js";

export interface Sweeper {
  /** Resolves when the sweep under way, if any, has ended. */
  stop(): Promise<void>;
}

/** While storage or the database is away, the pause doubles up to this. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * Sweeps for as long as the service runs. Any number of replicas may do so at once.
 *
 * @param intervalMs between two sweeps that found little to do
 */
export function startSweeper(deps: SweepDeps, intervalMs: number): Sweeper {
  const stopping = new AbortController();
  const run = async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      let hasMore = false;
      try {
        hasMore = await sweepUploads(deps);
        failures = 0;
      } catch (error) {
        failures++;
        deps.onError(error);
      }
      const pauseMs = hasMore ? 0 : Math.min(LONGEST_PAUSE_MS, intervalMs * 2 ** failures);
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
