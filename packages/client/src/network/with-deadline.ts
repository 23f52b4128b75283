import type { Cancel, Runtime } from "../runtime.js";
import { UploadError } from "../upload-error.js";

/** A timer that is later than this belongs to a page that was frozen, or to a computer that slept. */
const LATE_MS = 5_000;
/** How long work has to go on after that, or after the device has changed its network. */
export const AFTER_CHANGE_MS = 10_000;

/**
 * Runs work that must end in time. When its time is up, or the caller's signal aborts, the promise rejects immediately, even
 * if the work ignores its signal. A page that was frozen runs its timers before it learns what has happened meanwhile, so the work gets a
 * little more time then.
 *
 * @param work gets a signal that also aborts when its time is up, and a function that sets how many milliseconds it has
 *   from now
 * @throws {UploadError} timed_out
 */
export async function withDeadline<Result>(
  runtime: Pick<Runtime, "after" | "uptimeMs">,
  signal: AbortSignal,
  work: (signal: AbortSignal, setDeadline: (limitMs: number) => void) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  // AbortSignal.any would do this, but Safari has it only since 17.4.
  const controller = new AbortController();
  let cancelTimer: Cancel = () => {};
  signal.addEventListener("abort", () => controller.abort(signal.reason), { signal: controller.signal });
  try {
    return await new Promise((resolve, reject) => {
      // The page's own code, such as `headers`, may ignore the signal and never end.
      controller.signal.addEventListener("abort", () => reject(controller.signal.reason));
      // Once only: the timers of a hidden page may always be late.
      const start = (limitMs: number, mayBeLate: boolean) => {
        cancelTimer();
        const dueMs = runtime.uptimeMs() + limitMs;
        cancelTimer = runtime.after(limitMs, () => {
          if (mayBeLate && runtime.uptimeMs() > dueMs + LATE_MS) start(AFTER_CHANGE_MS, false);
          else controller.abort(new UploadError("timed_out"));
        });
      };
      void work(controller.signal, (limitMs) => start(limitMs, true)).then(resolve, reject);
    });
  } finally {
    cancelTimer();
    // Removes the listener from the caller's signal.
    controller.abort();
  }
}
