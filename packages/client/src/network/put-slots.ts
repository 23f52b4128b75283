interface Waiting {
  owner: string;
  start(): void;
}

/**
 * Limits the PUTs of all files of a store, whole files and parts. A free slot goes to the file with the fewest PUTs in flight,
 * so that a large file that sends many parts never keeps another file waiting for longer than one part.
 *
 * @param maxPuts how many PUTs may be in flight
 */
export function createPutSlots(maxPuts: () => number) {
  const inFlight = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let total = 0;

  const putsOf = (owner: string) => inFlight.get(owner) ?? 0;

  function count(owner: string, change: 1 | -1) {
    total += change;
    const puts = putsOf(owner) + change;
    if (puts > 0) inFlight.set(owner, puts);
    else inFlight.delete(owner);
  }

  function startWaiting() {
    while (waiting.size > 0 && total < maxPuts()) {
      const [first, ...others] = waiting;
      const next = others.reduce(
        (least, other) => (putsOf(other.owner) < putsOf(least.owner) ? other : least),
        first!,
      );
      waiting.delete(next);
      count(next.owner, 1);
      next.start();
    }
  }

  function enter(owner: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const leave = () => {
        waiting.delete(entry);
        reject(signal.reason);
      };
      const entry = {
        owner,
        start() {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      signal.addEventListener("abort", leave);
      waiting.add(entry);
      startWaiting();
    });
  }

  return {
    /** How many PUTs are in flight. */
    inFlight: () => total,
    /**
     * Runs one PUT when there is a slot.
     *
     * @param owner the id of the file
     * @throws the signal's reason when it aborts first
     */
    async run<Result>(owner: string, signal: AbortSignal, put: () => Promise<Result>): Promise<Result> {
      await enter(owner, signal);
      try {
        return await put();
      } finally {
        count(owner, -1);
        startWaiting();
      }
    },
  };
}

export type PutSlots = ReturnType<typeof createPutSlots>;
