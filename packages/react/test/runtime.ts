import type { Runtime } from "../src/core/runtime.js";
import { NodeXhr } from "./node-xhr.js";

/** The real network with a clock that a test moves: nothing that waits for time goes on by itself. */
export function aRuntime(options: { random?: number } = {}) {
  let nowMs = Date.UTC(2026, 0, 1);
  let uptimeMs = 5000;
  let isOnline = true;
  const timers = new Set<{ atMs: number; run: () => void }>();
  const followers = new Set<() => void>();
  const runtime = {
    now: () => nowMs,
    uptimeMs: () => uptimeMs,
    random: () => options.random ?? 0.5,
    after(delayMs, run) {
      const timer = { atMs: uptimeMs + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    soon(run) {
      const timer = setTimeout(run);
      return () => clearTimeout(timer);
    },
    fetch: (url, init) => fetch(url, init),
    // The adapter offers what putFile uses of the interface, and no more.
    createXhr: () => new NodeXhr() as unknown as XMLHttpRequest,
    isOnline: () => isOnline,
    onConnectionChange(run) {
      followers.add(run);
      return () => followers.delete(run);
    },
  } satisfies Runtime;
  return {
    ...runtime,
    /** How long until each pending timer, shortest first. */
    pendingMs: () => Array.from(timers, (timer) => timer.atMs - uptimeMs).sort((a, b) => a - b),
    advance(delayMs: number) {
      nowMs += delayMs;
      uptimeMs += delayMs;
      for (const timer of Array.from(timers)) {
        if (timer.atMs > uptimeMs || !timers.delete(timer)) continue;
        timer.run();
      }
    },
    /** Somebody sets the clock on the wall. */
    setClock(changeMs: number) {
      nowMs += changeMs;
    },
    /** The computer sleeps: the clock on the wall goes on, the other one may not. */
    sleep(delayMs: number) {
      nowMs += delayMs;
    },
    /** What the browser says of the connection, with its event. */
    setOnline(next: boolean) {
      isOnline = next;
      for (const run of Array.from(followers)) run();
    },
    /** How many follow the browser's events. */
    followers: () => followers.size,
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
      // Pauses are below every watch and timeout, of which the probe's is the shortest.
      if (delayMs >= 10_000) return runtime.after(delayMs, run);
      pausesMs.push(delayMs);
      const timer = setTimeout(run);
      return () => clearTimeout(timer);
    },
  };
}

export function aFile(name = "photo.jpg", size = 1000, type = "image/jpeg"): File {
  return new File([new Uint8Array(size).fill(97)], name, { type });
}
