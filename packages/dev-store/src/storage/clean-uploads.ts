import { readdir, rm, stat } from "node:fs/promises";
import { uploadDir, uploadFile, uploadsDir } from "./layout.js";
import { syncDir } from "./write-durably.js";

/**
 * Finishes what a killed process left half done in the folders of multipart uploads:
 * - It had stored the object, but not ended the upload: another part could replace bytes of the object.
 * - It had removed the object, but not its parts.
 *
 * @param used the uploads whose parts are the data of an object
 */
export async function cleanUploads(bucketDir: string, used: ReadonlySet<string>): Promise<void> {
  for (const id of await readdir(uploadsDir(bucketDir))) {
    const dir = uploadDir(bucketDir, id);
    if (!dir) continue;
    const isOpen = await exists(uploadFile(dir));
    if (used.has(id) && isOpen) {
      await rm(uploadFile(dir), { force: true });
      await syncDir(dir);
    } else if (!used.has(id) && !isOpen) await rm(dir, { recursive: true, force: true });
  }
}

/** Throws any other error than a missing file: without an answer, no parts may be removed. */
async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
