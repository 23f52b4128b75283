import { forEachBounded } from "#lib/for-each-bounded.js";
import type { Bucket, ObjectStore } from "#object-store/object-store.js";
import { listAll } from "./copy-objects.js";

const MAX_CONCURRENT = 16;

/**
 * Removes all objects below a prefix from the buckets of a storage, and aborts its uploads by parts. Safe to repeat.
 *
 * @throws {StowageError} `unavailable`
 */
export async function removeObjectsBelow(
  store: ObjectStore,
  prefix: string,
  onRemoved: () => void,
): Promise<void> {
  for (const bucket of [store, store.published]) if (bucket) await removeAll(bucket, prefix, onRemoved);
  await abortAll(store, prefix);
}

async function removeAll(
  bucket: Pick<Bucket, "list" | "remove">,
  prefix: string,
  onRemoved: () => void,
): Promise<void> {
  for (let hasMore = true; hasMore;) {
    hasMore = false;
    let page: string[] = [];
    const removePage = async () => {
      await forEachBounded(page, MAX_CONCURRENT, async (path) => {
        await bucket.remove(path);
        onRemoved();
      });
      page = [];
    };
    for await (const { path } of listAll(bucket, prefix)) {
      hasMore = true;
      page.push(path);
      if (page.length === 1000) await removePage();
    }
    await removePage();
  }
}

async function abortAll(store: ObjectStore, prefix: string): Promise<void> {
  const { uploads } = await store.listMultiparts(prefix, null);
  await forEachBounded(uploads, MAX_CONCURRENT, (upload) => store.abortMultipart(upload));
  // A page has up to a thousand.
  if (uploads.length > 0 && (await store.listMultiparts(prefix, null)).uploads.length > 0) {
    await abortAll(store, prefix);
  }
}
