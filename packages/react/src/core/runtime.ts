/** Undoes what it was returned for; calling it late or twice does nothing. */
export type Cancel = () => void;

/** The world outside: everything that a test wants to decide for itself. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** 0 (inclusive) to 1 (exclusive). */
  random(): number;
  after(delayMs: number, run: () => void): Cancel;
  onNextFrame(run: () => void): Cancel;
  fetch(url: string, init: RequestInit): Promise<Response>;
  createXhr(): XMLHttpRequest;
}

/** Globals are looked up when called, never at import: this module loads on a server too. */
export const browserRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  after: startTimer,
  onNextFrame(run) {
    // Frames stop in a hidden tab; the timer keeps the end of an upload from being held back there.
    const frame = requestAnimationFrame(once);
    const stopTimer = startTimer(250, once);
    const cancel = () => {
      cancelAnimationFrame(frame);
      stopTimer();
    };
    function once() {
      cancel();
      run();
    }
    return cancel;
  },
  fetch: (url, init) => fetch(url, init),
  createXhr: () => new XMLHttpRequest(),
};

function startTimer(delayMs: number, run: () => void): Cancel {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

/** Resolves after the delay; rejects with the signal's reason as soon as it aborts. */
export function wait(runtime: Pick<Runtime, "after">, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = runtime.after(delayMs, () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
