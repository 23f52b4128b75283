/** Places of a fixed number, one for each piece of work under way, and a line of those who wait for one. */
export interface Slots {
  /**
   * Runs `work` once a place is free, and holds the place until it has ended.
   *
   * @param signal leaves the line when it aborts; work that has begun is not touched
   * @throws the signal's reason, or {@link LineIsFull}
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** There are more waiting already than could be served in time. */
export class LineIsFull extends Error {
  override readonly name = "LineIsFull";
}

export function createSlots(count: number, longestLine: number): Slots {
  let free = count;
  const line = new Set<() => void>();

  function wait(signal: AbortSignal): Promise<void> {
    if (line.size >= longestLine) return Promise.reject(new LineIsFull(`${longestLine} are waiting already`));
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener("abort", leave);
        line.delete(enter);
        resolve();
      };
      const leave = () => {
        line.delete(enter);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", leave, { once: true });
      line.add(enter);
    });
  }

  return {
    async run(work, signal) {
      if (free > 0) free--;
      else await wait(signal); // whoever leaves hands its place on
      try {
        return await work();
      } finally {
        const [next] = line;
        if (next) next();
        else free++;
      }
    },
  };
}
