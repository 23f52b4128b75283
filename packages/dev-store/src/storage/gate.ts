/** Lets the changes of a bucket run together until the bucket is removed. */
export interface Gate {
  /** Runs a change. It waits while `close` decides. @throws the error that `close` was given, once the gate is closed */
  enter<T>(change: () => Promise<T>): Promise<T>;
  /**
   * Waits for the running changes, then runs `remove` alone. The gate stays closed if `remove` succeeds.
   *
   * @throws the error of `remove`, and then changes run again
   */
  close(remove: () => Promise<void>): Promise<void>;
}

interface GateState {
  /** Settles when the attempt to close has ended. It never rejects. */
  closing: Promise<unknown> | undefined;
  isClosed: boolean;
}

/**
 * Creates an open gate. Without it, a PUT that finishes while its bucket is removed could be acknowledged and then be lost, or
 * land in a new bucket of the same name.
 *
 * @param closed creates the error for a change that comes too late
 */
export function createGate(closed: () => Error): Gate {
  const running = new Set<Promise<unknown>>();
  const state: GateState = { closing: undefined, isClosed: false };
  return {
    async enter(change) {
      // Between this check and the start of the change there must be no await. After the wait, another call may be closing.
      while (state.closing) await state.closing;
      if (state.isClosed) throw closed();
      const run = change();
      running.add(run);
      try {
        return await run;
      } finally {
        running.delete(run);
      }
    },
    async close(remove) {
      while (state.closing) await state.closing;
      if (state.isClosed) throw closed();
      const attempt = Promise.allSettled(running).then(remove);
      state.closing = attempt.then(
        () => (state.isClosed = true),
        () => {},
      );
      await state.closing;
      state.closing = undefined;
      await attempt;
    },
  };
}
