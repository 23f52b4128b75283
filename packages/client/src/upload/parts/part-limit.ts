import type { Runtime } from "../../runtime.js";
import { MAX_PUTS } from "../../transport.js";

/** A trial with one more part must bring at least this much more speed. */
const MIN_GAIN = 1.1;
/** Windows to wait after a trial without more speed, and after a stall or a refusal. */
const REST_WINDOWS = 5;

/**
 * Decides how many parts of a file are sent at the same time. It begins with as many as browsers send to one host, and halves the
 * number when parts stall or storage is overloaded. Later it tries one part more: it measures the speed over two rounds of parts, and
 * keeps the part only if the speed grew by a tenth.
 */
export function createPartLimit({ uptimeMs }: Pick<Runtime, "uptimeMs">) {
  let limit = MAX_PUTS;
  let isTrial = false;
  let restingWindows = 0;
  let speedBefore = 0;
  let windowStartMs = uptimeMs();
  let windowBytes = 0;
  let windowParts = 0;

  function startWindow() {
    windowStartMs = uptimeMs();
    windowBytes = 0;
    windowParts = 0;
  }

  /** @param speed bytes per millisecond of the window that has ended */
  function decide(speed: number) {
    const isFaster = speed >= speedBefore * MIN_GAIN;
    if (isTrial && !isFaster) {
      limit--;
      isTrial = false;
      restingWindows = REST_WINDOWS;
      return;
    }
    isTrial = limit < MAX_PUTS && restingWindows === 0;
    if (isTrial) limit++;
    else restingWindows = Math.max(0, restingWindows - 1);
    speedBefore = speed;
  }

  return {
    current: () => limit,
    /** Call this when storage has taken a part. */
    addSent(sizeBytes: number) {
      windowBytes += sizeBytes;
      windowParts++;
      const elapsedMs = uptimeMs() - windowStartMs;
      if (windowParts < 2 * limit || elapsedMs <= 0) return;
      decide(windowBytes / elapsedMs);
      startWindow();
    },
    /** Call this when a part stalled, or storage asked for a pause. */
    slowDown() {
      limit = Math.max(1, Math.floor(limit / 2));
      isTrial = false;
      restingWindows = REST_WINDOWS;
      startWindow();
    },
  };
}

export type PartLimit = ReturnType<typeof createPartLimit>;
