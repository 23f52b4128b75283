import { setTimeout as sleep } from "node:timers/promises";

/** A function that runs again and again until it is stopped. */
export interface Job {
  /**
   * Resolves when the current run has ended, at the latest after a few seconds: a run may wait half a minute for storage. What it has
   * claimed is done again after its lease.
   */
  stop(): Promise<void>;
}

/** While runs fail, for example because storage is down, the pause doubles up to this. A longer interval stays as it is. */
const MAX_BACKOFF_MS = 30_000;
/** Much less than DRAIN_SECONDS. */
const STOP_MS = 3000;

/**
 * Repeats `run` until the job is stopped.
 *
 * @param run resolves with true if more work is waiting. The next run then starts without a pause.
 * @param intervalMs pause between two runs that found little to do
 * @param onError is not called for a run that continues after `stop`, whose connections are closed
 */
export function repeat(
  run: () => Promise<boolean>,
  intervalMs: number,
  onError: (error: unknown) => void,
): Job {
  const stopping = new AbortController();
  let hasStopped = false;
  const loop = async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      let hasMore = false;
      try {
        hasMore = await run();
        failures = 0;
      } catch (error) {
        failures++;
        if (!hasStopped) onError(error);
      }
      const backoffMs = Math.min(MAX_BACKOFF_MS, intervalMs * 2 ** failures);
      const pauseMs = hasMore ? 0 : Math.max(intervalMs, backoffMs);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const ended = loop();
  return {
    stop: async () => {
      stopping.abort();
      await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
      hasStopped = true;
    },
  };
}
