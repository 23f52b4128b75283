/**
 * Works on items in parallel, in their order. When one fails, the others are aborted.
 *
 * @param limit how many items are worked on at the same time; read again before each one
 * @param work gets a signal that aborts when another item fails, or when the caller aborts
 * @throws the signal's reason when it aborts, else the first error
 */
export async function runInParallel<Item>(
  items: Iterable<Item>,
  limit: () => number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  signal.addEventListener("abort", abort);
  const running = new Set<Promise<void>>();

  async function run(item: Item) {
    try {
      await work(item, controller.signal);
    } catch (cause) {
      // The first one counts: the others end because of it.
      controller.abort(cause);
    }
  }

  try {
    signal.throwIfAborted();
    for (const item of items) {
      const task: Promise<void> = run(item).finally(() => running.delete(task));
      running.add(task);
      while (running.size >= limit()) await Promise.race(running);
      if (controller.signal.aborted) break;
    }
    await Promise.all(running);
    controller.signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
