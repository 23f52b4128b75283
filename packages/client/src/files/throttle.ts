import type { Cancel, Runtime } from "../runtime.js";

/** Work that is often requested and rarely run. */
export interface Throttled {
  /** Runs the work at once, or when the last run and its interval have ended. */
  request(): void;
  /** Ends it: no further run starts. */
  cancel: Cancel;
}

/**
 * Runs work at the first request, and then at most once per interval. Requests during a run or its interval share one further run.
 *
 * @param work must not reject
 */
export function throttle(
  runtime: Pick<Runtime, "after">,
  intervalMs: number,
  work: () => Promise<void>,
): Throttled {
  let isWaiting = false;
  let isRequested = false;
  let isCancelled = false;
  let cancelTimer: Cancel = () => {};

  function request() {
    if (isCancelled) return;
    if (isWaiting) {
      isRequested = true;
      return;
    }
    isWaiting = true;
    isRequested = false;
    const interval = new Promise<void>((resolve) => {
      cancelTimer = runtime.after(intervalMs, resolve);
    });
    void Promise.all([work(), interval]).then(() => {
      isWaiting = false;
      if (isRequested) request();
    });
  }

  return {
    request,
    cancel() {
      isCancelled = true;
      cancelTimer();
    },
  };
}
