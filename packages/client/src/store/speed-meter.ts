import type { Runtime } from "../runtime.js";

/** Shortest time between two measurements. */
const STEP_MS = 500;
/** Weight of the old speed in the exponential moving average. */
const SMOOTHING = 0.8;
/** After a pause this long the old speed is forgotten. */
const STALE_MS = 10_000;

/**
 * Measures bytes per second as an exponential moving average, so that the remaining time does not jump.
 *
 * @returns a function that takes the bytes sent since its last call, and returns the speed; null until it is known. Without bytes it
 *   only tells the speed: each look at it during a pause would lower it, until the time left is weeks
 */
export function createSpeedMeter(runtime: Pick<Runtime, "uptimeMs">): (bytes: number) => number | null {
  let bytesPerSecond: number | null = null;
  let stepBytes = 0;
  let stepStartMs = runtime.uptimeMs();
  return (bytes) => {
    if (bytes === 0) return bytesPerSecond;
    const elapsedMs = runtime.uptimeMs() - stepStartMs;
    stepBytes += bytes;
    if (elapsedMs < STEP_MS) return bytesPerSecond;
    const latest = (stepBytes / elapsedMs) * 1000;
    const last = bytesPerSecond ?? latest;
    bytesPerSecond = elapsedMs > STALE_MS ? null : Math.round(latest + (last - latest) * SMOOTHING);
    stepBytes = 0;
    stepStartMs += elapsedMs;
    return bytesPerSecond;
  };
}
