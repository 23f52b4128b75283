import type { Runtime } from "../src/core/runtime.js";
import { NodeXhr } from "./node-xhr.js";

/** The real network with a clock that a test moves: nothing that waits for time goes on by itself. */
export function aRuntime(options: { random?: number } = {}) {
  let nowMs = Date.UTC(2026, 0, 1);
  const timers = new Set<{ atMs: number; run: () => void }>();
  const runtime = {
    now: () => nowMs,
    random: () => options.random ?? 0.5,
    after(delayMs, run) {
      const timer = { atMs: nowMs + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    onNextFrame(run) {
      const timer = setTimeout(run);
      return () => clearTimeout(timer);
    },
    fetch: (url, init) => fetch(url, init),
    // The adapter offers what putFile uses of the interface, and no more.
    createXhr: () => new NodeXhr() as unknown as XMLHttpRequest,
  } satisfies Runtime;
  return {
    ...runtime,
    /** How long until each pending timer, shortest first. */
    pendingMs: () => Array.from(timers, (timer) => timer.atMs - nowMs).sort((a, b) => a - b),
    advance(delayMs: number) {
      nowMs += delayMs;
      for (const timer of Array.from(timers)) {
        if (timer.atMs > nowMs || !timers.delete(timer)) continue;
        timer.run();
      }
    },
  };
}

/** The same, for tests that do not care how long a pause is: every pause before a retry is over at once. */
export function aHurriedRuntime() {
  const pausesMs: number[] = [];
  const runtime = aRuntime();
  return {
    ...runtime,
    pausesMs,
    after(delayMs: number, run: () => void) {
      // Pauses are below the 30 s of every watch and timeout.
      if (delayMs >= 30_000) return runtime.after(delayMs, run);
      pausesMs.push(delayMs);
      const timer = setTimeout(run);
      return () => clearTimeout(timer);
    },
  };
}

export function aFile(name = "photo.jpg", size = 1000, type = "image/jpeg"): File {
  return new File([new Uint8Array(size).fill(97)], name, { type });
}
