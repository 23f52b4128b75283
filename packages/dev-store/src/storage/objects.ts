import { unlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { CreatedBy } from "../notify/change.js";
import { type Bucket, ensureFolder } from "./bucket.js";
import type { IncomingFile } from "./incoming-file.js";
import { objectFile, uploadDir } from "./layout.js";
import { entryOf, type ObjectRecord } from "./object-records.js";
import { openSealed } from "./sealed-file.js";
import { objectInFile, objectInParts, type StoredObject } from "./stored-object.js";
import { removeUpload } from "./uploads.js";
import { S3Error } from "../errors.js";
import { syncDir } from "./write-durably.js";

/** A condition on the current object of a key, checked before a write replaces it. */
export type WriteCondition =
  | { readonly kind: "none" }
  | { readonly kind: "absent" }
  /** `*`, or an ETag without quotes. */
  | { readonly kind: "match"; readonly etag: string };

/** Opens an object, or returns undefined. The file is authoritative; the index serves only listings and conditions. */
export async function openObject(bucket: Bucket, key: string): Promise<StoredObject | undefined> {
  const object = await openRecord(bucket, key);
  if (!object || "blocks" in object) return object;
  // Under the lock nothing removes the parts before they are leased.
  return await bucket.lock(`object ${key}`, async () => {
    const current = await openRecord(bucket, key);
    if (!current || "blocks" in current) return current;
    const { id } = current.upload;
    return objectInParts(current, { dir: uploadDir(bucket.dir, id)!, release: bucket.leases.take(id) });
  });
}

type RecordOfParts = ObjectRecord & {
  upload: NonNullable<ObjectRecord["upload"]>;
  parts: NonNullable<ObjectRecord["parts"]>;
};

/** Opens an object whose data is in its own file, or reads the record of one that consists of parts. */
async function openRecord(bucket: Bucket, key: string): Promise<StoredObject | RecordOfParts | undefined> {
  const sealed = await openSealed<ObjectRecord>(objectFile(bucket.dir, key));
  if (!sealed) return undefined;
  const { upload, parts } = sealed.record;
  if (!upload || !parts) return objectInFile(sealed);
  await sealed.file.close();
  return { ...sealed.record, upload, parts };
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
  const { key, etag } = record;
  const path = objectFile(bucket.dir, key);
  await file.seal(record);
  const commit = async (): Promise<string | undefined> => {
    checkCondition(bucket, key, condition);
    await file.moveTo(path);
    const replaced = bucket.index.get(key)?.partsOf;
    bucket.index.set(entryOf(record, sizeBytes));
    bucket.onChange({ event, bucket: bucket.name, key, etag, sizeBytes });
    return replaced;
  };
  const replaced = await bucket.gate.enter(async () => {
    await ensureFolder(bucket, dirname(path));
    return await bucket.lock(`object ${key}`, commit);
  });
  await removeParts(bucket, replaced);
}

/** Removes an object durably. A missing object is not an error. @throws S3Error PreconditionFailed, NoSuchKey */
export async function removeObject(bucket: Bucket, key: string, condition: WriteCondition): Promise<void> {
  const remove = async (): Promise<string | undefined> => {
    checkCondition(bucket, key, condition);
    const path = objectFile(bucket.dir, key);
    try {
      await unlink(path);
      await syncDir(dirname(path));
      bucket.onChange({ event: "ObjectRemoved:Delete", bucket: bucket.name, key });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    const removed = bucket.index.get(key)?.partsOf;
    bucket.index.delete(key);
    return removed;
  };
  await removeParts(bucket, await bucket.gate.enter(() => bucket.lock(`object ${key}`, remove)));
}

/** Removes the parts of an object that is gone, or leaves it to the last reader that has them open. */
async function removeParts(bucket: Bucket, uploadId: string | undefined): Promise<void> {
  if (uploadId === undefined) return;
  const free = bucket.leases.whenFree(uploadId);
  if (!free) return await removeUpload(bucket, uploadId);
  // If this fails, the next start removes the parts.
  void free.then(() => removeUpload(bucket, uploadId)).catch(() => {});
}

/** @throws S3Error PreconditionFailed; NoSuchKey for `match` on a missing object */
function requireCondition(condition: WriteCondition, currentEtag: string | undefined): void {
  if (condition.kind === "absent" && currentEtag !== undefined) throw new S3Error("PreconditionFailed");
  if (condition.kind !== "match") return;
  if (currentEtag === undefined) throw new S3Error("NoSuchKey");
  if (condition.etag !== "*" && condition.etag !== currentEtag) throw new S3Error("PreconditionFailed");
}
