/*
 * Time limits for the answers of other servers. Node runs due timers before it reads from sockets, so after a blocked event loop (a
 * module that loads, a collection of garbage, a container without CPU) an ordinary timer ends a call whose answer is already here. So a time
 * in which the event loop was blocked does not count.
 */

/** How often a running limit looks at the clock. */
const SLICE_MS = 250;
/** A longer time between two looks was a blocked event loop, and counts as this time. */
const LONGEST_STEP_MS = 350;

let workedMs = 0;
let lookedAt = performance.now();

/** Milliseconds in which this process could read answers. Runs only while a limit does. */
function workingTime(): number {
  const now = performance.now();
  // The clock of a test can go back.
  workedMs += Math.min(Math.max(0, now - lookedAt), LONGEST_STEP_MS);
  lookedAt = now;
  return workedMs;
}

export interface WorkingTimeLimit {
  /** Milliseconds of working time since the start. */
  elapsedMs(): number;
  clear(): void;
}

/** Calls `onEnd` after `ms` of working time. Every SQL statement has such limits, so one shorter than {@link SLICE_MS} is one timer. */
export function limitWorkingTime(ms: number, onEnd: () => void): WorkingTimeLimit {
  const startedAt = workingTime();
  const elapsedMs = () => workingTime() - startedAt;
  let timer = setTimeout(look, Math.min(ms, SLICE_MS));
  function look(): void {
    const leftMs = Math.ceil(ms - elapsedMs());
    if (leftMs > 0) timer = setTimeout(look, Math.min(leftMs, SLICE_MS));
    else onEnd();
  }
  return { elapsedMs, clear: () => clearTimeout(timer) };
}

/** @returns a function for the time since now, and for how much of it the event loop was blocked */
export function startStopwatch(): () => { tookMs: number; blockedMs: number } {
  const startedAt = performance.now();
  const workedAt = workingTime();
  return () => {
    const tookMs = performance.now() - startedAt;
    const blockedMs = Math.max(0, tookMs - (workingTime() - workedAt));
    return { tookMs: Math.round(tookMs), blockedMs: Math.round(blockedMs) };
  };
}
