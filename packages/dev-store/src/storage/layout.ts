import { createHash } from "node:crypto";
import { join } from "node:path";

/**
 * The layout of the data folder. Only this module builds paths:
 *
 *     <dir>/incoming/<uuid>                        a file that is being received; removed at every start
 *     <dir>/buckets/<bucket>/bucket.json           the creation time and the settings
 *     <dir>/buckets/<bucket>/objects/<xx>/<hash>   an object: data and record in one sealed file
 *     <dir>/buckets/<bucket>/uploads/<id>/         a multipart upload: upload.json and one sealed file per part. After its completion
 *                                                  upload.json is gone and the parts are the data of the object, whose file has only
 *                                                  the record
 *
 * A client's key never becomes a path. A key is stored under its SHA-256: every key fits, no key leaves its folder, and `a`
 * and `a/b` do not collide. Bucket names are checked before they are used here.
 */
export const incomingDir = (dir: string): string => join(dir, "incoming");
export const bucketsDir = (dir: string): string => join(dir, "buckets");
export const bucketDir = (dir: string, bucket: string): string => join(dir, "buckets", bucket);

export const bucketFile = (bucketDir: string): string => join(bucketDir, "bucket.json");
export const objectsDir = (bucketDir: string): string => join(bucketDir, "objects");
export const uploadsDir = (bucketDir: string): string => join(bucketDir, "uploads");

export function objectFile(bucketDir: string, key: string): string {
  const hash = createHash("sha256").update(key).digest("hex");
  return join(bucketDir, "objects", hash.slice(0, 2), hash);
}

/** The folder of a multipart upload, or undefined if the id has not the form of this store's ids. */
export function uploadDir(bucketDir: string, uploadId: string): string | undefined {
  return /^[0-9a-f]{32}$/.test(uploadId) ? join(bucketDir, "uploads", uploadId) : undefined;
}

export const uploadFile = (uploadDir: string): string => join(uploadDir, "upload.json");

export function partFile(uploadDir: string, partNumber: number): string {
  return join(uploadDir, String(partNumber).padStart(5, "0"));
}
