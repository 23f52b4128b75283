/** The waiting callbacks of each signal. */
const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` when `signal` aborts. All listeners of a signal share one event listener: Node prints a
 * `MaxListenersExceededWarning` from eleven on, and the calls of a tRPC batch, or all calls of a customer, may have the same signal.
 *
 * @returns removes the listener
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? listen(signal);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function listen(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  listenersOf.set(signal, listeners);
  signal.addEventListener("abort", () => listeners.forEach((each) => each()), { once: true });
  return listeners;
}
