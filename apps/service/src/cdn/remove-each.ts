import { forEachBounded } from "#lib/for-each-bounded.js";
import { isPurgeFailure } from "./cdn.js";

const MAX_CONCURRENT_REMOVALS = 16;

/**
 * Removes objects from a bucket. While the CDN refuses purges, all of them leave the bucket at least.
 *
 * @param remove throws a refused purge after the object has left the bucket
 * @throws the first refused purge, after all removals; any other error at once
 */
export async function removeEach<Item>(
  items: Iterable<Item>,
  remove: (item: Item) => Promise<void>,
): Promise<void> {
  const refused: unknown[] = [];
  await forEachBounded(items, MAX_CONCURRENT_REMOVALS, (item) =>
    remove(item).catch((error: unknown) => {
      if (!isPurgeFailure(error)) throw error;
      refused.push(error);
    }),
  );
  if (refused.length > 0) throw refused[0];
}
