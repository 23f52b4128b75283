/** Places of a fixed number, one for each piece of work under way, and a line of those who wait for one. */
export interface ConcurrencyLimit {
  /**
   * Runs `work` once a place is free, and holds the place until it has ended, however long that takes.
   *
   * @param limitMs from now on. Who waits longer leaves the line and is never run; work that has begun is not touched
   * @throws {DeadlineExceededError} when it takes longer, waiting included; {@link QueueFullError}; what `work` throws
   */
  run<T>(work: () => Promise<T>, limitMs: number): Promise<T>;
}

/** There are more waiting already than could be served in time. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}

/** It took longer than its limit. */
export class DeadlineExceededError extends Error {
  override readonly name = "DeadlineExceededError";
}

export function createConcurrencyLimit(count: number, maxQueueLength: number): ConcurrencyLimit {
  let free = count;
  const line = new Set<() => void>();

  /** Whoever leaves hands its place on. */
  function leave(): void {
    const [next] = line;
    if (next) next();
    else free++;
  }

  return {
    // One promise and one timer, without a signal for them: there is one of these for each statement.
    run: (work, limitMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          line.delete(enter);
          reject(new DeadlineExceededError(`it took more than ${limitMs} ms`));
        }, limitMs);
        const enter = () => {
          line.delete(enter);
          const ended = () => {
            clearTimeout(timer);
            leave();
          };
          work().finally(ended).then(resolve, reject);
        };
        if (free > 0) {
          free--;
          enter();
        } else if (line.size < maxQueueLength) {
          line.add(enter);
        } else {
          clearTimeout(timer);
          reject(new QueueFullError(`${maxQueueLength} are waiting already`));
        }
      }),
  };
}
