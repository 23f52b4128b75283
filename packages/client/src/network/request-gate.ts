import type { Runtime } from "../runtime.js";

/**
 * Limits how many calls are in flight, over all files of a store. No call passes while the connection is
 * lost or a server has asked for a pause. After such a pause one call passes at a time, and each success raises the limit by one. A call
 * from before the pause no longer counts: it may be the PUT of a large file.
 *
 * @param options.onChange called when a waiting file may be able to start
 */
export function createRequestGate(
  runtime: Pick<Runtime, "after">,
  { isHeld, onChange }: { isHeld(): boolean; onChange(): void },
) {
  const waiting = new Set<() => void>();
  let inFlight = 0;
  let limit = Number.POSITIVE_INFINITY;
  let pauses = 0;
  let lastPause = 0;

  const capacity = () => (isHeld() || pauses > 0 ? 0 : limit);

  /** Lets waiting calls pass, oldest first, as far as there is capacity. */
  function recheck() {
    for (const tryToEnter of waiting) tryToEnter();
    onChange();
  }

  return {
    /** How many calls may be in flight now. */
    capacity,
    recheck,

    /**
     * Waits until there is capacity, and takes slots until the returned function gives them back.
     *
     * @param slots 0 for a call that waits for the gate but never makes another call wait
     * @throws the signal's reason when it aborts first
     */
    enter(signal: AbortSignal, slots: 0 | 1): Promise<() => void> {
      return new Promise((resolve, reject) => {
        const tryToEnter = () => {
          if (signal.aborted) {
            reject(signal.reason);
          } else if (inFlight < capacity()) {
            inFlight += slots;
            const pauseBefore = lastPause;
            resolve(() => {
              if (pauseBefore === lastPause) inFlight -= slots;
              recheck();
            });
          } else {
            return;
          }
          waiting.delete(tryToEnter);
          signal.removeEventListener("abort", tryToEnter);
        };
        waiting.add(tryToEnter);
        signal.addEventListener("abort", tryToEnter);
        tryToEnter();
      });
    },

    /** Call this after a success: the server can take one call more. */
    raiseLimit() {
      limit++;
    },

    /** Holds all calls for this time. After that, one call passes at a time. */
    pause(delayMs: number) {
      limit = 1;
      inFlight = 0;
      lastPause++;
      pauses++;
      runtime.after(delayMs, () => {
        pauses--;
        recheck();
      });
    },
  };
}

export type RequestGate = ReturnType<typeof createRequestGate>;
