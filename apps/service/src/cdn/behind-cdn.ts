import { lazy } from "#lib/lazy.js";
import type { Bucket } from "#object-store/object-store.js";
import type { Cdn } from "./cdn.js";

/**
 * A bucket behind a CDN, which forgets each object that is removed from the bucket.
 *
 * @param cdn null: nothing is purged
 * @param urlOf what the CDN has to forget of a path
 */
export function behindCdn(bucket: Bucket, cdn: Cdn | null, urlOf: (path: string) => string): Bucket {
  if (cdn === null) return bucket;
  return {
    ...bucket,
    // In this order: otherwise the CDN could fetch the object once more.
    remove: async (path) => {
      await bucket.remove(path);
      await cdn.purge(urlOf(path));
    },
    close: () => {
      bucket.close();
      cdn.close();
    },
  };
}

/** A CDN whose code is loaded with the first purge. */
export function lazyCdn(load: () => Promise<Cdn>): Cdn {
  let loaded: Cdn | undefined;
  const find = lazy(async () => (loaded = await load()));
  return { purge: async (url) => (await find()).purge(url), close: () => loaded?.close() };
}
