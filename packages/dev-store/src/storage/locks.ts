/** Runs work one at a time per name, in the order asked. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/**
 * What makes a condition and the rename that depends on it one step: of eight writers that all want to be first,
 * one is. In memory, since one process owns a folder.
 */
export function createLock(): Lock {
  const tails = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = tails.get(name) ?? Promise.resolve();
    const mine = before.then(work);
    const settled = mine.catch(() => {});
    tails.set(name, settled);
    try {
      return await mine;
    } finally {
      if (tails.get(name) === settled) tails.delete(name);
    }
  };
}
