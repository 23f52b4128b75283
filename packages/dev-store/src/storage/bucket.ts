import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CorsRule } from "../cors/cors-rule.js";
import type { Change } from "../notify/change.js";
import { S3Error } from "../errors.js";
import { createGate, type Gate } from "./gate.js";
import { createKeyIndex, type KeyIndex } from "./key-index.js";
import { bucketFile, objectsDir, uploadsDir } from "./layout.js";
import { createLeases, type Leases } from "./leases.js";
import { createLock, type Lock } from "./locks.js";
import { readIndexEntries } from "./object-records.js";
import { readOpenUploads, type Upload } from "./open-uploads.js";
import { syncDir, writeFileDurably } from "./write-durably.js";

export interface PublicAccessBlock {
  readonly BlockPublicAcls: boolean;
  readonly IgnorePublicAcls: boolean;
  readonly BlockPublicPolicy: boolean;
  readonly RestrictPublicBuckets: boolean;
}

/** The content of bucket.json. */
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
  /** The multipart uploads that have not ended, by id, in memory: a listing by prefix must not read them all. */
  readonly openUploads: Map<string, Upload>;
  /** Object folders that are known to exist durably on disk. */
  readonly folders: Set<string>;
  readonly lock: Lock;
  /** Every change of the bucket enters this gate, which `removeBucket` closes. */
  readonly gate: Gate;
  /** Multipart uploads whose parts are being read. */
  readonly leases: Leases;
  /** Called for each change of an object, in order, after it is on disk. */
  readonly onChange: (change: Change) => void;
  /** The last written settings. `changeSettings` replaces them. */
  settings: BucketSettings;
}

export interface BucketLocation {
  readonly name: string;
  readonly dir: string;
  readonly incomingDir: string;
  readonly onChange: (change: Change) => void;
}

/** Creates a bucket's folder under a temporary name and renames it, so it appears complete. */
export async function createBucket(location: BucketLocation, createdAt: Date): Promise<Bucket> {
  const settings: BucketSettings = { createdAt: createdAt.toISOString() };
  const temporary = join(location.incomingDir, randomUUID());
  try {
    await mkdir(objectsDir(temporary), { recursive: true });
    await mkdir(uploadsDir(temporary));
    await writeFileDurably(location.incomingDir, bucketFile(temporary), JSON.stringify(settings));
    await rename(temporary, location.dir);
    await syncDir(join(location.dir, ".."));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
  return bucketWith(location, settings, { index: createKeyIndex([]), openUploads: new Map() });
}

/** Opens a bucket on disk. `onUnknownFile` is called for each file that this store did not write or cannot read. */
export async function openBucket(
  location: BucketLocation,
  onUnknownFile: (error: unknown) => void,
): Promise<Bucket> {
  // Only createBucket and changeSettings write this file, and they replace it atomically.
  const settings = JSON.parse(await readFile(bucketFile(location.dir), "utf8")) as BucketSettings;
  let isKnown = true;
  const entries = readIndexEntries(location.dir, (error) => {
    isKnown = false;
    onUnknownFile(error);
  });
  // An object that cannot be read may own parts, which must not be removed.
  const used = isKnown ? new Set(entries.flatMap(({ partsOf }) => partsOf ?? [])) : null;
  const openUploads = await readOpenUploads(location.dir, used, onUnknownFile);
  return bucketWith(location, settings, { index: createKeyIndex(entries), openUploads });
}

/** Removes an empty bucket and its unfinished uploads: one rename hides it. @throws S3Error BucketNotEmpty, NoSuchBucket */
export async function removeBucket(bucket: Bucket): Promise<void> {
  const removed = join(bucket.incomingDir, randomUUID());
  await bucket.gate.close(async () => {
    if (bucket.index.at(0)) throw new S3Error("BucketNotEmpty");
    await rename(bucket.dir, removed);
    await syncDir(join(bucket.dir, ".."));
  });
  await rm(removed, { recursive: true, force: true });
}

/** Creates the folder of an object durably, before an object in it is acknowledged. */
export async function ensureFolder(bucket: Bucket, folder: string): Promise<void> {
  if (bucket.folders.has(folder)) return;
  await bucket.lock(`folder ${folder}`, async () => {
    if (bucket.folders.has(folder)) return;
    await mkdir(folder, { recursive: true });
    await syncDir(objectsDir(bucket.dir));
    bucket.folders.add(folder);
  });
}

/** Changes and saves settings. Changes run one at a time. */
export async function changeSettings(bucket: Bucket, change: Partial<BucketSettings>): Promise<void> {
  const save = async (): Promise<void> => {
    const settings = { ...bucket.settings, ...change };
    await writeFileDurably(bucket.incomingDir, bucketFile(bucket.dir), JSON.stringify(settings));
    bucket.settings = settings;
  };
  await bucket.gate.enter(() => bucket.lock("settings", save));
}

function bucketWith(
  location: BucketLocation,
  settings: BucketSettings,
  content: Pick<Bucket, "index" | "openUploads">,
): Bucket {
  const gate = createGate(() => new S3Error("NoSuchBucket"));
  return {
    ...location,
    ...content,
    settings,
    folders: new Set(),
    lock: createLock(),
    leases: createLeases(),
    gate,
  };
}
