import type { Cancel, Runtime } from "../runtime.js";

const RETRY_MS = 30_000;
/** Together five minutes: as long as uploads wait for a backend that does not answer. */
const MAX_RETRIES = 10;

/** Repeats failed work later: every 30 s for five minutes, and as soon as the browser is online again. */
export function createLaterRetries(
  { after, isOnline, onConnectionChange }: Pick<Runtime, "after" | "isOnline" | "onConnectionChange">,
  work: () => void,
) {
  let retries = 0;
  let cancel: Cancel = () => {};

  function runNow() {
    cancel();
    work();
  }

  function runWhenOnline() {
    if (!isOnline()) return;
    retries = 0;
    runNow();
  }

  return {
    /** Call this when the work has failed. */
    plan() {
      cancel();
      const cancelTimer = retries < MAX_RETRIES ? after(RETRY_MS, runNow) : () => {};
      const stopListening = onConnectionChange(runWhenOnline);
      retries++;
      cancel = () => {
        cancelTimer();
        stopListening();
      };
    },
    /** Call this when the work has succeeded, or is no longer needed. */
    stop() {
      retries = 0;
      cancel();
    },
  };
}
