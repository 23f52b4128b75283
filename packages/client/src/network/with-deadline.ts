import type { Cancel, Runtime } from "../runtime.js";
import { UploadError } from "../upload-error.js";

/**
 * Runs work that must end in time. When its time is up, or the caller's signal aborts, the promise rejects immediately, even
 * if the work ignores its signal.
 *
 * @param work gets a signal that also aborts when its time is up, and a function that sets how many milliseconds it has
 *   from now
 * @throws {UploadError} timed_out
 */
export async function withDeadline<Result>(
  runtime: Pick<Runtime, "after">,
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
      const setDeadline = (limitMs: number) => {
        cancelTimer();
        cancelTimer = runtime.after(limitMs, () => controller.abort(new UploadError("timed_out")));
      };
      void work(controller.signal, setDeadline).then(resolve, reject);
    });
  } finally {
    cancelTimer();
    // Removes the listener from the caller's signal.
    controller.abort();
  }
}
