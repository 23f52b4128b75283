/**
 * Counts the readers of files, so that the files are removed only after the last reader has ended. Memory is enough, because one
 * process owns the folder.
 */
export interface Leases {
  /** @returns a function that ends the lease. Further calls of it do nothing. */
  take(name: string): () => void;
  /** Resolves when no lease of the name is left. Undefined if there is none now. */
  whenFree(name: string): Promise<void> | undefined;
}

interface Leased {
  readonly holders: Set<object>;
  readonly free: Promise<void>;
  readonly setFree: () => void;
}

export function createLeases(): Leases {
  const leased = new Map<string, Leased>();
  return {
    take(name) {
      const holder = {};
      const lease = leased.get(name) ?? createLeased();
      leased.set(name, lease);
      lease.holders.add(holder);
      return () => {
        if (!lease.holders.delete(holder) || lease.holders.size > 0) return;
        leased.delete(name);
        lease.setFree();
      };
    },
    whenFree: (name) => leased.get(name)?.free,
  };
}

function createLeased(): Leased {
  let setFree = (): void => {};
  const free = new Promise<void>((resolve) => (setFree = resolve));
  return { holders: new Set(), free, setFree };
}
