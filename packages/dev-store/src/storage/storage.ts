import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Change } from "../notify/change.js";
import { type Bucket, makeBucket, openBucket } from "./bucket.js";
import { bucketDir, bucketsDir, incomingDir } from "./layout.js";
import { createLock } from "./locks.js";

/** Everything under one folder. One process at a time may have it open. */
export interface Storage {
  bucket(name: string): Bucket | undefined;
  /** False when there is one of that name. The name must have been checked. */
  createBucket(name: string, at: Date): Promise<boolean>;
}

export interface StorageListeners {
  readonly onError: (error: unknown) => void;
  /** Hears of each change to an object, once it is on disk. Must not throw. */
  readonly onChange: (change: Change) => void;
}

/** Opens a folder, makes it when missing, and clears away what a killed process left half-written. */
export async function openStorage(dir: string, { onError, onChange }: StorageListeners): Promise<Storage> {
  const incoming = incomingDir(dir);
  await mkdir(incoming, { recursive: true });
  await mkdir(bucketsDir(dir), { recursive: true });
  for (const name of await readdir(incoming))
    await rm(join(incoming, name), { recursive: true, force: true });

  const place = (name: string) => ({ name, dir: bucketDir(dir, name), incomingDir: incoming, onChange });
  const buckets = new Map<string, Bucket>();
  for (const name of await readdir(bucketsDir(dir)))
    buckets.set(name, await openBucket(place(name), onError));

  const lock = createLock();
  return {
    bucket: (name) => buckets.get(name),
    createBucket: (name, at) =>
      lock(name, async () => {
        if (buckets.has(name)) return false;
        buckets.set(name, await makeBucket(place(name), at));
        return true;
      }),
  };
}
