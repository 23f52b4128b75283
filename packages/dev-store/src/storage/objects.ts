import { unlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { CreatedBy } from "../notify/change.js";
import { type Bucket, ensureFolder } from "./bucket.js";
import type { IncomingFile } from "./incoming-file.js";
import { objectFile } from "./layout.js";
import type { ObjectRecord } from "./object-records.js";
import { openSealed, type SealedFile } from "./sealed-file.js";
import { S3Error } from "../errors.js";
import { syncDir } from "./write-durably.js";

/** A condition on the current object of a key, checked before a write replaces it. */
export type WriteCondition =
  | { readonly kind: "none" }
  | { readonly kind: "absent" }
  /** `*`, or an ETag without quotes. */
  | { readonly kind: "match"; readonly etag: string };

export type StoredObject = SealedFile<ObjectRecord>;

/** Opens an object, or returns undefined. The file is authoritative; the index serves only listings and conditions. */
export function openObject(bucket: Bucket, key: string): Promise<StoredObject | undefined> {
  return openSealed<ObjectRecord>(objectFile(bucket.dir, key));
}

/** Checks a condition before the body is received. `commitObject` checks it again under the lock. */
export function checkCondition(bucket: Bucket, key: string, condition: WriteCondition): void {
  requireCondition(condition, bucket.index.get(key)?.etag);
}

/** Makes an incoming file the object of its key. The last of several writers wins. @throws S3Error PreconditionFailed, NoSuchBucket */
export async function commitObject(
  bucket: Bucket,
  incoming: { file: IncomingFile; record: ObjectRecord; sizeBytes: number; event: CreatedBy },
  condition: WriteCondition,
): Promise<void> {
  const { file, record, sizeBytes, event } = incoming;
  const { key, etag, lastModified } = record;
  const path = objectFile(bucket.dir, key);
  await file.seal(record);
  const commit = async (): Promise<void> => {
    checkCondition(bucket, key, condition);
    await file.moveTo(path);
    bucket.index.set({ key, etag, lastModified, sizeBytes });
    bucket.onChange({ event, bucket: bucket.name, key, etag, sizeBytes });
  };
  await bucket.gate.enter(async () => {
    await ensureFolder(bucket, dirname(path));
    await bucket.lock(`object ${key}`, commit);
  });
}

/** Removes an object durably. A missing object is not an error. @throws S3Error PreconditionFailed, NoSuchKey */
export async function removeObject(bucket: Bucket, key: string, condition: WriteCondition): Promise<void> {
  const remove = async (): Promise<void> => {
    checkCondition(bucket, key, condition);
    const path = objectFile(bucket.dir, key);
    try {
      await unlink(path);
      await syncDir(dirname(path));
      bucket.onChange({ event: "ObjectRemoved:Delete", bucket: bucket.name, key });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    bucket.index.delete(key);
  };
  await bucket.gate.enter(() => bucket.lock(`object ${key}`, remove));
}

/** @throws S3Error PreconditionFailed; NoSuchKey for `match` on a missing object */
function requireCondition(condition: WriteCondition, currentEtag: string | undefined): void {
  if (condition.kind === "absent" && currentEtag !== undefined) throw new S3Error("PreconditionFailed");
  if (condition.kind !== "match") return;
  if (currentEtag === undefined) throw new S3Error("NoSuchKey");
  if (condition.etag !== "*" && condition.etag !== currentEtag) throw new S3Error("PreconditionFailed");
}
