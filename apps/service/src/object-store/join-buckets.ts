import type { Bucket, ObjectStore } from "./object-store.js";

interface NamedBucket {
  bucket: Bucket;
  /** By which the other bucket copies from it. */
  name: string;
}

interface PublishedBucket extends NamedBucket {
  /** Where everyone reads the object of a path. */
  urlOf(path: string): string;
}

/**
 * Joins two buckets to the object store.
 *
 * @param published null: no file can be public
 */
export function joinBuckets(own: NamedBucket, published: PublishedBucket | null): ObjectStore {
  if (published === null) return { ...own.bucket, published: null };
  return {
    ...own.bucket,
    published: {
      ...published.bucket,
      urlOf: published.urlOf,
      publish: (source, headers) => published.bucket.copyFrom(own.name, source, headers),
      takeBack: (source, headers) => own.bucket.copyFrom(published.name, source, headers),
    },
    close: () => {
      own.bucket.close();
      published.bucket.close();
    },
  };
}
