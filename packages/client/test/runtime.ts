import type { Runtime } from "../src/runtime.js";
import { RECEIVING_MS } from "../src/store/uploads.js";
import { NodeXhr } from "./node-xhr.js";

/** The real network, with clocks and timers that only `advance` moves. */
export function aRuntime(options: { random?: number } = {}) {
  let nowMs = Date.UTC(2026, 0, 1);
  let uptimeMs = 5000;
  let isOnline = true;
  const timers = new Set<{ atMs: number; run: () => void }>();
  const listeners = new Set<() => void>();
  const markedPaths = new Set<string>();
  const beforeUnloadListeners = new Set<(event: Event) => void>();
  const pageHideListeners = new Set<() => void>();
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
    // NodeXhr has only the members that putFile uses.
    createXhr: () => new NodeXhr() as unknown as XMLHttpRequest,
    isOnline: () => isOnline,
    withLock: (_mode, _signal, work) => work(),
    markPath(path) {
      markedPaths.add(path);
      return () => markedPaths.delete(path);
    },
    markedPaths: async () => [...markedPaths],
    onBeforeUnload(run) {
      beforeUnloadListeners.add(run);
      return () => beforeUnloadListeners.delete(run);
    },
    onPageHide(run) {
      pageHideListeners.add(run);
      return () => pageHideListeners.delete(run);
    },
    onConnectionChange(run) {
      listeners.add(run);
      return () => listeners.delete(run);
    },
  } satisfies Runtime;
  function moveTo(nextMs: number) {
    nowMs += nextMs - uptimeMs;
    uptimeMs = nextMs;
  }
  return {
    ...runtime,
    /** The time until each pending timer, shortest first. */
    pendingMs: () => Array.from(timers, (timer) => timer.atMs - uptimeMs).sort((a, b) => a - b),
    /** Moves both clocks, and runs the timers that are due at their times. */
    advance(delayMs: number) {
      const endMs = uptimeMs + delayMs;
      for (const timer of Array.from(timers).sort((a, b) => a.atMs - b.atMs)) {
        if (timer.atMs > endMs || !timers.delete(timer)) continue;
        moveTo(timer.atMs);
        timer.run();
      }
      moveTo(endMs);
    },
    /** The browser freezes the page. Its clocks go on, and its timers run afterwards. */
    freeze(delayMs: number) {
      moveTo(uptimeMs + delayMs);
      for (const timer of Array.from(timers)) {
        if (timer.atMs <= uptimeMs && timers.delete(timer)) timer.run();
      }
    },
    /** Sets the system clock, as a person or a time server would. */
    setClock(changeMs: number) {
      nowMs += changeMs;
    },
    /** The computer sleeps: in some browsers only the system clock continues. */
    sleep(delayMs: number) {
      nowMs += delayMs;
    },
    /** Sets what the browser says of the connection, and fires its event. */
    setOnline(next: boolean) {
      isOnline = next;
      for (const run of Array.from(listeners)) run();
    },
    /** The person is about to leave the page. @returns whether the browser would ask */
    isLeavingAsked() {
      const event = new Event("beforeunload", { cancelable: true });
      for (const run of beforeUnloadListeners) run(event);
      return event.defaultPrevented;
    },
    /** The page is closed or reloaded. @returns how many listeners the event has */
    hidePage() {
      for (const run of Array.from(pageHideListeners)) run();
      return pageHideListeners.size;
    },
    /** How many listeners the browser's connection events have. */
    connectionListeners: () => listeners.size,
  };
}

/** A runtime for tests in which the length of a pause does not matter: pauses before a retry end immediately. */
export function aRuntimeWithoutPauses() {
  const pausesMs: number[] = [];
  const runtime = aRuntime();
  return {
    ...runtime,
    pausesMs,
    after(delayMs: number, run: () => void) {
      // All timeouts are at least this long, and the pauses in these tests are shorter.
      if (delayMs >= 10_000 || delayMs === RECEIVING_MS) return runtime.after(delayMs, run);
      pausesMs.push(delayMs);
      const timer = setTimeout(run);
      return () => clearTimeout(timer);
    },
  };
}

export function aFile(name = "photo.jpg", size = 1000, type = "image/jpeg"): File {
  return new File([new Uint8Array(size).fill(97)], name, { type });
}
