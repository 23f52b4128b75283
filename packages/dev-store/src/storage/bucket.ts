import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CorsRule } from "../cors/cors-rule.js";
import type { Change } from "../notify/change.js";
import { createKeyIndex, type KeyIndex } from "./key-index.js";
import { bucketFile, objectsDir, uploadsDir } from "./layout.js";
import { createLock, type Lock } from "./locks.js";
import { readIndexEntries } from "./object-records.js";
import { syncDir, writeFileDurably } from "./write-durably.js";

export interface PublicAccessBlock {
  readonly BlockPublicAcls: boolean;
  readonly IgnorePublicAcls: boolean;
  readonly BlockPublicPolicy: boolean;
  readonly RestrictPublicBuckets: boolean;
}

/** What is kept in bucket.json. */
export interface BucketSettings {
  readonly createdAt: string;
  readonly cors?: readonly CorsRule[] | undefined;
  readonly publicAccessBlock?: PublicAccessBlock | undefined;
}

export interface Bucket {
  readonly name: string;
  readonly dir: string;
  readonly incomingDir: string;
  readonly index: KeyIndex;
  /** Folders of objects that are known to be on disk, durably. */
  readonly folders: Set<string>;
  readonly lock: Lock;
  /** Hears of each change to an object, in order, once it is on disk. */
  readonly onChange: (change: Change) => void;
  /** As last written; replaced by `changeSettings`. */
  settings: BucketSettings;
}

export interface BucketPlace {
  readonly name: string;
  readonly dir: string;
  readonly incomingDir: string;
  readonly onChange: (change: Change) => void;
}

/** Makes a bucket's folder, whole and in one rename. */
export async function makeBucket(place: BucketPlace, createdAt: Date): Promise<Bucket> {
  const settings: BucketSettings = { createdAt: createdAt.toISOString() };
  const building = join(place.incomingDir, randomUUID());
  try {
    await mkdir(objectsDir(building), { recursive: true });
    await mkdir(uploadsDir(building));
    await writeFileDurably(place.incomingDir, bucketFile(building), JSON.stringify(settings));
    await rename(building, place.dir);
    await syncDir(join(place.dir, ".."));
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    throw error;
  }
  return { ...place, settings, index: createKeyIndex([]), folders: new Set(), lock: createLock() };
}

/** Opens a bucket that is on disk. `onForeign` hears of each file that this store did not write. */
export async function openBucket(place: BucketPlace, onForeign: (error: unknown) => void): Promise<Bucket> {
  // Only makeBucket and changeSettings write this file, and they write it whole.
  const settings = JSON.parse(await readFile(bucketFile(place.dir), "utf8")) as BucketSettings;
  const index = createKeyIndex(readIndexEntries(place.dir, onForeign));
  return { ...place, settings, index, folders: new Set(), lock: createLock() };
}

/** Makes the folder that an object is to be moved into, durable before anything in it is acknowledged. */
export async function requireFolder(bucket: Bucket, folder: string): Promise<void> {
  if (bucket.folders.has(folder)) return;
  await bucket.lock(`folder ${folder}`, async () => {
    if (bucket.folders.has(folder)) return;
    await mkdir(folder, { recursive: true });
    await syncDir(objectsDir(bucket.dir));
    bucket.folders.add(folder);
  });
}

/** Changes and keeps settings; one change at a time. */
export async function changeSettings(bucket: Bucket, change: Partial<BucketSettings>): Promise<void> {
  await bucket.lock("settings", async () => {
    const settings = { ...bucket.settings, ...change };
    await writeFileDurably(bucket.incomingDir, bucketFile(bucket.dir), JSON.stringify(settings));
    bucket.settings = settings;
  });
}
