/** The place of one item among those that are worked on. */
export interface Turn {
  /** Lets the next item start meanwhile. */
  leave(): void;
  /** Call this when the work on the item continues. */
  comeBack(): void;
}

/** Items that have left their turns and let others start. If every item fails, few others are tried. */
const MAX_AWAY = 2;

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
  work: (item: Item, signal: AbortSignal, turn: Turn) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  signal.addEventListener("abort", abort);
  const running = new Set<object>();
  const away = new Set<object>();
  /** Called when there may be room for another item. */
  let recheck = () => {};

  async function run(item: Item) {
    const place = {};
    const turn: Turn = {
      leave() {
        away.add(place);
        recheck();
      },
      comeBack: () => void away.delete(place),
    };
    running.add(place);
    try {
      await work(item, controller.signal, turn);
    } catch (cause) {
      // The first one counts: the others end because of it.
      controller.abort(cause);
    } finally {
      running.delete(place);
      away.delete(place);
      recheck();
    }
  }

  const hasRoom = () => running.size - Math.min(away.size, MAX_AWAY) < limit();
  const change = () => new Promise<void>((resolve) => (recheck = resolve));

  try {
    signal.throwIfAborted();
    for (const item of items) {
      while (!hasRoom()) await change();
      if (controller.signal.aborted) break;
      void run(item);
    }
    while (running.size > 0) await change();
    controller.signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
