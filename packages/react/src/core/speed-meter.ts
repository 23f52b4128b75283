import type { Runtime } from "./runtime.js";

/**
 * Bytes per second, smoothed over some seconds so that the time left does not jump about.
 *
 * @returns what is to be told of bytes as they leave; null until there is something to say
 */
export function createSpeedMeter(runtime: Pick<Runtime, "uptimeMs">): (bytes: number) => number | null {
  const STEP_MS = 500;
  /** How much of the old speed each step leaves. */
  const SMOOTHING = 0.8;
  /** After so long a pause the old speed says nothing. */
  const STALE_MS = 10_000;
  let speed: number | null = null;
  let gathered = 0;
  let sinceMs = runtime.uptimeMs();
  return (bytes) => {
    const elapsedMs = runtime.uptimeMs() - sinceMs;
    gathered += bytes;
    if (elapsedMs < STEP_MS) return speed;
    const latest = (gathered / elapsedMs) * 1000;
    speed = elapsedMs > STALE_MS ? null : Math.round(latest + ((speed ?? latest) - latest) * SMOOTHING);
    gathered = 0;
    sinceMs += elapsedMs;
    return speed;
  };
}

/** How long these bytes will take at this speed; null when nobody knows. */
export function remainingMs(bytes: number, bytesPerSecond: number | null): number | null {
  return bytesPerSecond ? Math.round((bytes / bytesPerSecond) * 1000) : null;
}
