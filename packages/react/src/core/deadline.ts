import type { Cancel, Runtime } from "./runtime.js";
import { UploadError } from "./upload-error.js";

/**
 * Does what must not take for ever: when its time is up nobody waits for it any longer, whether it listens or not.
 *
 * @param work is given a signal that also aborts when its time is up, and a way to say how much time it has from now
 */
export async function withDeadline<Result>(
  runtime: Pick<Runtime, "after">,
  signal: AbortSignal,
  work: (signal: AbortSignal, allow: (limitMs: number) => void) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  // Not AbortSignal.any: Safari has it only since 17.4.
  const own = new AbortController();
  let cancelTimer: Cancel = () => {};
  signal.addEventListener("abort", () => own.abort(signal.reason), { signal: own.signal });
  try {
    return await new Promise((resolve, reject) => {
      // Not every piece of work listens: a page's own code may never end.
      own.signal.addEventListener("abort", () => reject(own.signal.reason));
      void work(own.signal, (limitMs) => {
        cancelTimer();
        cancelTimer = runtime.after(limitMs, () => own.abort(new UploadError("timed_out")));
      }).then(resolve, reject);
    });
  } finally {
    cancelTimer();
    // Nothing listens to the caller's signal any longer.
    own.abort();
  }
}
