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
  /** Before people would miss it, and no sooner: each time a page is drawn anew. */
  soon(run: () => void): Cancel;
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
  // Not with each frame: ten times a second looks as alive, and leaves the processor to the files. A timer runs in workers
  // and hidden tabs too.
  soon: (run) => startTimer(100, run),
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
