/** Undoes the call that returned it. Calling it late or twice does nothing. */
export type Cancel = () => void;

/** Everything outside the widget that a test wants to control: clocks, timers, randomness and the network. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a monotonic clock: it never jumps when the system clock is set. */
  uptimeMs(): number;
  /** 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** Runs once after the delay. */
  after(delayMs: number, run: () => void): Cancel;
  /** Runs once after a delay that a person hardly sees. Used to draw many changes together. */
  soon(run: () => void, delayMs: number): Cancel;
  fetch(url: string, init: RequestInit): Promise<Response>;
  createXhr(): XMLHttpRequest;
  /** What the browser believes. Both answers may be wrong: only an answer from the network is proof. */
  isOnline(): boolean;
  onConnectionChange(run: () => void): Cancel;
  /**
   * Runs work while this page holds a lock. An exclusive lock is held by one page of this browser and origin, a shared lock by
   * any number of pages, but not at the same time as an exclusive one. Some pages get no lock, such as those without https:
   * they run the work without it.
   *
   * @throws the signal's reason when it aborts while the lock is awaited
   */
  withLock<Result>(
    mode: "shared" | "exclusive",
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Tells all pages of this browser and origin that an upload runs, until the returned function is called. */
  markPath(path: string): Cancel;
  /** The paths that pages of this browser have marked. A page that was closed or has crashed marks nothing. */
  markedPaths(): Promise<string[]>;
  /** Runs on the event `beforeunload`. `preventDefault` lets the browser ask the person. */
  onBeforeUnload(run: (event: Event) => void): Cancel;
  /** Runs on the event `pagehide` of a page that cannot come back: it is closed, reloaded or left. */
  onPageHide(run: () => void): Cancel;
}

/** Reads globals when it is called, not when it is imported, because this module is also loaded on servers. */
export const browserRuntime: Runtime = {
  now: () => Date.now(),
  uptimeMs: () => performance.now(),
  random: () => Math.random(),
  after: startTimer,
  // A timer and not an animation frame: it also runs in workers and hidden tabs.
  soon: (run, delayMs) => startTimer(delayMs, run),
  fetch: (url, init) => fetch(url, init),
  createXhr: () => new XMLHttpRequest(),
  // Node has no such member.
  isOnline: () => globalThis.navigator?.onLine ?? true,
  onConnectionChange: (run) => listen(["online", "offline"], run),
  withLock: runWithLock,
  markPath(path) {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    // The browser releases the locks of a page that is closed or crashes.
    locks()
      ?.request(PATH_LOCK + path, { mode: "shared" }, () => held)
      .catch(() => {});
    return release;
  },
  async markedPaths() {
    const { held = [] } =
      (await locks()
        ?.query()
        .catch(() => undefined)) ?? {};
    const names = held.map(({ name = "" }) => name);
    return names.filter((name) => name.startsWith(PATH_LOCK)).map((name) => name.slice(PATH_LOCK.length));
  },
  onBeforeUnload: (run) => listen(["beforeunload"], run),
  // A persisted page is in the browser's cache of pages and may come back.
  onPageHide: (run) => listen(["pagehide"], (event) => (event as PageTransitionEvent).persisted || run()),
};

/** Where there is no page, as in React Native, none of these events occur. */
function listen(names: string[], run: (event: Event) => void): Cancel {
  const listening = new AbortController();
  for (const name of names) globalThis.addEventListener?.(name, run, listening);
  return () => listening.abort();
}

const REQUESTS_LOCK = "stowage-requests";
const PATH_LOCK = "stowage-upload ";

/** Undefined on pages without https, and where there is no browser. */
const locks = (): LockManager | undefined => globalThis.navigator?.locks;

async function runWithLock<Result>(
  mode: LockMode,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  let hasStarted = false;
  const start = () => {
    hasStarted = true;
    return work();
  };
  try {
    return await (locks()?.request(REQUESTS_LOCK, { mode, signal }, start) ?? start());
  } catch (cause) {
    if (hasStarted || signal.aborted) throw cause;
    // The browser refuses locks to this page, such as one in a sandboxed frame.
    return work();
  }
}

function startTimer(delayMs: number, run: () => void): Cancel {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

/** Resolves after the delay. Rejects with the signal's reason when it aborts first. */
export function wait(runtime: Pick<Runtime, "after">, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = runtime.after(delayMs, () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    signal.addEventListener("abort", onAbort);
  });
}
