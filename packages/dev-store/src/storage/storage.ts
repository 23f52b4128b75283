import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Change } from "../notify/change.js";
import { S3Error } from "../errors.js";
import { type Bucket, createBucket as createBucketOnDisk, openBucket, removeBucket } from "./bucket.js";
import { bucketDir, bucketsDir, incomingDir } from "./layout.js";
import { createLock } from "./locks.js";

/** All buckets of one data folder. Only one process may have it open. */
export interface Storage {
  bucket(name: string): Bucket | undefined;
  /** Every bucket, in no particular order. */
  buckets(): Bucket[];
  /** Returns false if the bucket exists. The caller has checked the name. */
  createBucket(name: string, at: Date): Promise<boolean>;
  /** @throws S3Error NoSuchBucket, BucketNotEmpty */
  deleteBucket(name: string): Promise<void>;
}

export interface StorageListeners {
  readonly onError: (error: unknown) => void;
  /** Called for each change of an object, after it is on disk. Must not throw. */
  readonly onChange: (change: Change) => void;
}

/** Opens a data folder, creates it if missing, and removes incoming files that a killed process left. */
export async function openStorage(dir: string, { onError, onChange }: StorageListeners): Promise<Storage> {
  const incoming = incomingDir(dir);
  await mkdir(incoming, { recursive: true });
  await mkdir(bucketsDir(dir), { recursive: true });
  for (const name of await readdir(incoming))
    await rm(join(incoming, name), { recursive: true, force: true });

  const location = (name: string) => ({ name, dir: bucketDir(dir, name), incomingDir: incoming, onChange });
  const buckets = new Map<string, Bucket>();
  for (const name of await readdir(bucketsDir(dir)))
    buckets.set(name, await openBucket(location(name), onError));

  const lock = createLock();
  return {
    bucket: (name) => buckets.get(name),
    buckets: () => [...buckets.values()],
    createBucket: (name, at) =>
      lock(name, async () => {
        if (buckets.has(name)) return false;
        buckets.set(name, await createBucketOnDisk(location(name), at));
        return true;
      }),
    deleteBucket: (name) =>
      lock(name, async () => {
        const bucket = buckets.get(name);
        if (!bucket) throw new S3Error("NoSuchBucket");
        await removeBucket(bucket);
        buckets.delete(name);
      }),
  };
}
