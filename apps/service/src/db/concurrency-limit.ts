/** Runs at most a fixed number of tasks at the same time. Further tasks wait in a queue, first in, first out. */
export interface ConcurrencyLimit {
  /**
   * Runs `task` as soon as fewer tasks than the limit are running. A task counts as running until it has ended, however long that
   * takes.
   *
   * @param timeoutMs how long the task may take from now on, including the wait. A task that waits longer is never run. A running task
   * is not cancelled
   * @throws {DeadlineExceededError}, {@link QueueFullError}, and any error of `task`
   */
  run<T>(task: () => Promise<T>, timeoutMs: number): Promise<T>;
}

/** More tasks are waiting than could run before their deadline. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}

/** The task took longer than its time limit. */
export class DeadlineExceededError extends Error {
  override readonly name = "DeadlineExceededError";
}

export function createConcurrencyLimit(maxConcurrent: number, maxQueueLength: number): ConcurrencyLimit {
  let free = maxConcurrent;
  const queue = new Set<() => void>();

  /** Hands the place of an ended task to the next one in the queue. */
  function release(): void {
    const [startNext] = queue;
    if (startNext) startNext();
    else free++;
  }

  return {
    // Every SQL statement passes through here, so this uses one promise and one timer, and no AbortSignal.
    run: (task, timeoutMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          queue.delete(start);
          reject(new DeadlineExceededError(`the task took more than ${timeoutMs} ms`));
        }, timeoutMs);
        const start = () => {
          queue.delete(start);
          const onEnd = () => {
            clearTimeout(timer);
            release();
          };
          task().finally(onEnd).then(resolve, reject);
        };
        if (free > 0) {
          free--;
          start();
        } else if (queue.size < maxQueueLength) {
          queue.add(start);
        } else {
          clearTimeout(timer);
          reject(new QueueFullError(`${maxQueueLength} tasks are already waiting`));
        }
      }),
  };
}
