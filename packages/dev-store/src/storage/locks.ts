/** Runs the work of one name one at a time, in call order. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/**
 * Creates an in-memory lock. It makes the check of a condition and the rename that follows one step, so of eight writers
 * with `If-None-Match: *` exactly one succeeds. Memory is enough, because one process owns the folder.
 */
export function createLock(): Lock {
  const tails = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const previous = tails.get(name) ?? Promise.resolve();
    const current = previous.then(work);
    const settled = current.catch(() => {});
    tails.set(name, settled);
    try {
      return await current;
    } finally {
      if (tails.get(name) === settled) tails.delete(name);
    }
  };
}
