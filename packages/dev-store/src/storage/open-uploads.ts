import { readdir, readFile, rm } from "node:fs/promises";
import type { ChecksumAlgorithm, ChecksumType } from "../body/checksums.js";
import { uploadDir, uploadFile, uploadsDir } from "./layout.js";
import type { Encryption } from "./object-records.js";
import { syncDir } from "./write-durably.js";

/** The checksum that an upload announced for its parts and its object. */
export interface UploadChecksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly type: ChecksumType;
}

/** A multipart upload that has not ended. */
export interface Upload {
  readonly id: string;
  readonly dir: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly initiated: number;
  readonly checksum?: UploadChecksum | undefined;
  readonly encryption?: Encryption | undefined;
}

/**
 * Reads the multipart uploads that have not ended, and finishes what a killed process left half done in their folders:
 * - It had stored the object, but not ended the upload: another part could replace bytes of the object.
 * - It had removed the object, but not its parts.
 *
 * It reports and skips uploads that it cannot read, and removes nothing of them.
 *
 * @param used the uploads whose parts are the data of an object. Null: they are not all known, and nothing is finished
 */
export async function readOpenUploads(
  bucketDir: string,
  used: ReadonlySet<string> | null,
  onUnknownFile: (error: unknown) => void,
): Promise<Map<string, Upload>> {
  const open = new Map<string, Upload>();
  for (const id of await readdir(uploadsDir(bucketDir))) {
    const dir = uploadDir(bucketDir, id);
    if (!dir) continue;
    let upload: Upload | undefined;
    try {
      upload = await readUpload(bucketDir, id);
    } catch (error) {
      onUnknownFile(error);
      continue;
    }
    if (upload && used?.has(id)) {
      await rm(uploadFile(dir), { force: true });
      await syncDir(dir);
    } else if (upload) open.set(id, upload);
    else if (used && !used.has(id)) await rm(dir, { recursive: true, force: true });
  }
  return open;
}

/** Throws any other error than a missing file: without an answer, no parts may be removed. */
export async function readUpload(bucketDir: string, id: string): Promise<Upload | undefined> {
  const dir = uploadDir(bucketDir, id);
  if (!dir) return undefined;
  const file = uploadFile(dir);
  try {
    const subject = JSON.parse(await readFile(file, "utf8")) as Omit<Upload, "id" | "dir">;
    return { id, dir, ...subject };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${file} is not a file of this store, or cannot be read.`, { cause: error });
  }
}
