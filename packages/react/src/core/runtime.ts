/** Undoes what it was returned for; calling it late or twice does nothing. */
export type Cancel = () => void;

/** The world outside: everything that a test wants to decide for itself. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since some moment: a clock that nobody sets. */
  uptimeMs(): number;
  /** 0 (inclusive) to 1 (exclusive). */
  random(): number;
  after(delayMs: number, run: () => void): Cancel;
  onNextFrame(run: () => void): Cancel;
  fetch(url: string, init: RequestInit): Promise<Response>;
  createXhr(): XMLHttpRequest;
  /** What the system believes. False may be wrong, and so may true: only an answer of the network is certain. */
  isOnline(): boolean;
  onConnectionChange(run: () => void): Cancel;
}

/** Globals are looked up when called, never at import: this module loads on a server too. */
export const browserRuntime: Runtime = {
  now: () => Date.now(),
  uptimeMs: () => performance.now(),
  random: () => Math.random(),
  after: startTimer,
  onNextFrame(run) {
    const cancel = () => {
      globalThis.cancelAnimationFrame?.(frame);
      stopTimer();
    };
    const once = () => {
      cancel();
      run();
    };
    // Workers have no frames, and in a hidden tab they stop: the timer keeps the end of an upload from being held back.
    const frame = globalThis.requestAnimationFrame?.(once);
    const stopTimer = startTimer(250, once);
    return cancel;
  },
  fetch: (url, init) => fetch(url, init),
  createXhr: () => new XMLHttpRequest(),
  isOnline: () => navigator.onLine,
  onConnectionChange(run) {
    const following = new AbortController();
    addEventListener("online", run, following);
    addEventListener("offline", run, following);
    return () => following.abort();
  },
};

function startTimer(delayMs: number, run: () => void): Cancel {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

/** Resolves after the delay; rejects with the signal's reason as soon as it aborts. */
export function wait(runtime: Pick<Runtime, "after">, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const cancel = runtime.after(delayMs, resolve);
    signal.addEventListener("abort", () => {
      cancel();
      reject(signal.reason);
    });
  });
}
