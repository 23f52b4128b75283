import { StowageError, type Visibility } from "@stowage/schemas";
import type { ObjectStore, PublicBucket } from "./object-store.js";

/**
 * The bucket that has the objects of files in this place.
 *
 * @throws {StowageError} `unavailable` if a file is in the public bucket and the settings name none any more
 */
export function bucketOf<Store extends Pick<ObjectStore, "published">>(
  store: Store,
  place: Visibility,
): Store | PublicBucket {
  if (place === "private") return store;
  if (store.published) return store.published;
  throw new StowageError("unavailable", {
    detail: "Public files are not set up, and this file is in the public bucket",
    cause: new Error("S3_PUBLIC_BUCKET is not set, and a file is in the public bucket"),
  });
}

/** The ETag that storage answers for the object. */
export function storedEtagOf({
  publishedEtag,
  etag,
}: {
  /** Null if the object is in the private bucket. */
  publishedEtag: string | null;
  etag: string | null;
}): string | null {
  return publishedEtag ?? etag;
}
