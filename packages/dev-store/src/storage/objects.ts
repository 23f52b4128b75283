import { unlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { Checksum } from "../body/checksums.js";
import type { CreatedBy } from "../notify/change.js";
import { type Bucket, requireFolder } from "./bucket.js";
import type { IncomingFile } from "./incoming-file.js";
import { objectFile } from "./layout.js";
import { openSealed, type SealedFile } from "./sealed-file.js";
import { requireHeld, type WriteCondition } from "./write-condition.js";
import { syncDir } from "./write-durably.js";

/** What is sealed with an object's data. */
export interface ObjectRecord {
  readonly key: string;
  /** Without quotes: the MD5 in hex, or for a multipart upload the MD5 of the parts' MD5s and `-<parts>`. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
  /** Sent back as they came, by lower-case name: content-type and its kin, and x-amz-meta-*. */
  readonly headers: Readonly<Record<string, string>>;
  readonly checksum?: Checksum | undefined;
}

export type StoredObject = SealedFile<ObjectRecord>;

/** Opens an object, or returns undefined. The file is the truth; the index is only for listings and conditions. */
export function openObject(bucket: Bucket, key: string): Promise<StoredObject | undefined> {
  return openSealed<ObjectRecord>(objectFile(bucket.dir, key));
}

/** Whether a write would be let through now. Spares a refused body; `commitObject` asks again, under the lock. */
export function checkCondition(bucket: Bucket, key: string, condition: WriteCondition): void {
  requireHeld(condition, bucket.index.get(key)?.etag);
}

/** Makes an incoming file the object of its key: the last of several wins, whole. @throws S3Error PreconditionFailed */
export async function commitObject(
  bucket: Bucket,
  incoming: { file: IncomingFile; record: ObjectRecord; sizeBytes: number; event: CreatedBy },
  condition: WriteCondition,
): Promise<void> {
  const { file, record, sizeBytes, event } = incoming;
  const { key, etag, lastModified } = record;
  const path = objectFile(bucket.dir, key);
  await file.seal(record);
  await requireFolder(bucket, dirname(path));
  await bucket.lock(`object ${key}`, async () => {
    checkCondition(bucket, key, condition);
    await file.moveTo(path);
    bucket.index.set({ key, etag, lastModified, sizeBytes });
    bucket.onChange({ event, bucket: bucket.name, key, etag, sizeBytes });
  });
}

/** Removes an object, durably. That there is none is no failure. @throws S3Error PreconditionFailed, NoSuchKey */
export async function removeObject(bucket: Bucket, key: string, condition: WriteCondition): Promise<void> {
  await bucket.lock(`object ${key}`, async () => {
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
  });
}
