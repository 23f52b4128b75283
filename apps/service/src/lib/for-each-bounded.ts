/**
 * Calls `work` for each item, at most `limit` at a time. After the first failure no further calls start. The failure is thrown
 * once the running calls have ended, so nothing continues after this function has returned.
 *
 * p-map does not fit here. With `stopOnError` it rejects while other calls are still running, and without it, it starts all
 * remaining calls before it rejects.
 */
export async function forEachBounded<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  let failure: { error: unknown } | undefined;
  const worker = async () => {
    for (let next = queue.next(); !next.done && !failure; next = queue.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failure) throw failure.error;
}
