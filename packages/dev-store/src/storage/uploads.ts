import { randomBytes, randomUUID } from "node:crypto";
import { access, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Checksum } from "../body/checksums.js";
import { S3Error, type S3ErrorCode } from "../errors.js";
import type { Bucket } from "./bucket.js";
import type { IncomingFile } from "./incoming-file.js";
import { partFile, uploadDir, uploadFile, uploadsDir } from "./layout.js";
import type { PartSize } from "./object-records.js";
import { readUpload, type Upload } from "./open-uploads.js";
import { openSealed, readRecordSync, type SealedFile } from "./sealed-file.js";
import { renameDurably, syncDir, writeFileDurably } from "./write-durably.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
export const MAX_PARTS = 10_000;
/** The smallest size of every part except the last. */
export const MIN_PART_BYTES = 5 * 1024 ** 2;

/** The record that is stored with a part's data. */
export interface PartRecord {
  readonly partNumber: number;
  /** Without quotes. */
  readonly etag: string;
  readonly lastModified: number;
  readonly checksum?: Checksum | undefined;
}

export async function createUpload(bucket: Bucket, subject: Omit<Upload, "id" | "dir">): Promise<Upload> {
  const id = randomBytes(16).toString("hex");
  const dir = join(uploadsDir(bucket.dir), id);
  const temporary = join(bucket.incomingDir, randomUUID());
  await mkdir(temporary);
  await writeFileDurably(bucket.incomingDir, uploadFile(temporary), JSON.stringify(subject));
  const upload = { id, dir, ...subject };
  try {
    await bucket.gate.enter(async () => {
      await renameDurably(temporary, dir);
      bucket.openUploads.set(id, upload);
    });
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
  return upload;
}

/** @throws S3Error NoSuchUpload, also if the upload belongs to another key */
export async function findUpload(bucket: Bucket, key: string, id: string): Promise<Upload> {
  const upload = await readUpload(bucket.dir, id);
  if (upload?.key !== key) throw new S3Error("NoSuchUpload");
  return upload;
}

/** Makes an incoming file a part and replaces a part of the same number. @throws S3Error NoSuchUpload if the upload has ended */
export async function commitPart(
  bucket: Bucket,
  upload: Upload,
  { file, record }: { file: IncomingFile; record: PartRecord },
): Promise<void> {
  await file.seal(record);
  const path = partFile(upload.dir, record.partNumber);
  await bucket.lock(`upload ${upload.id}`, async () => {
    // The folder of a completed upload still exists: its parts are an object.
    await unlessGone("NoSuchUpload", () => access(uploadFile(upload.dir)));
    await unlessGone("NoSuchUpload", () => file.moveTo(path));
  });
}

export function openPart(upload: Upload, partNumber: number): Promise<SealedFile<PartRecord> | undefined> {
  return openSealed<PartRecord>(partFile(upload.dir, partNumber));
}

/**
 * Returns the parts after a number in ascending order, at most `limit`.
 *
 * @throws S3Error NoSuchUpload if the upload ends in the meantime
 */
export async function listParts(
  upload: Upload,
  { after, limit }: { after: number; limit: number },
): Promise<{ parts: (PartRecord & { sizeBytes: number })[]; hasMore: boolean }> {
  return await unlessGone("NoSuchUpload", async () => {
    const names = (await partNames(upload.dir)).filter((name) => Number(name) > after);
    const parts = names.slice(0, limit).map((name) => {
      const { record, sizeBytes } = readRecordSync<PartRecord>(join(upload.dir, name));
      return { ...record, sizeBytes };
    });
    return { parts, hasMore: names.length > limit };
  });
}

async function partNames(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((name) => /^\d{5}$/.test(name)).sort();
}

/**
 * Ends an upload whose parts are the data of an object now, and removes its other parts. An upload that has ended, or whose object is
 * gone, is ignored.
 */
export async function closeUpload(bucket: Bucket, id: string, parts: readonly PartSize[]): Promise<void> {
  const dir = uploadDir(bucket.dir, id);
  if (!dir) return;
  const used = new Set(parts.map(([partNumber]) => partFile(dir, partNumber)));
  try {
    await bucket.gate.enter(async () => {
      await rm(uploadFile(dir), { force: true });
      bucket.openUploads.delete(id);
      await syncDir(dir);
    });
    for (const name of await partNames(dir))
      if (!used.has(join(dir, name))) await rm(join(dir, name), { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Removes an upload, or the parts of an object that is gone: one rename hides them. What does not exist is ignored. */
export async function removeUpload(bucket: Bucket, id: string): Promise<void> {
  const dir = uploadDir(bucket.dir, id);
  if (!dir) return;
  const removed = join(bucket.incomingDir, randomUUID());
  await bucket.gate.enter(async () => {
    try {
      await rename(dir, removed);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    bucket.openUploads.delete(id);
    await syncDir(uploadsDir(bucket.dir));
  });
  await rm(removed, { recursive: true, force: true });
}

/** Runs work on files that another request may remove at the same time. @throws S3Error `code` if they are gone */
async function unlessGone<T>(code: S3ErrorCode, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ENOENT" ? new S3Error(code) : error;
  }
}
