import { createHash } from "node:crypto";
import { StowageError, type File } from "@stowage/schemas";
import { countParts } from "@stowage/schemas/rules";
import { readChunks } from "../read-chunks.js";
import type { UploadJob } from "../upload-job.js";
import { md5Of } from "./md5.js";
import { rangeOfPart } from "./prepare-parts.js";

/**
 * Compares the file of a complete upload with the source. The ETag of an object of parts is the MD5 of the MD5s of its parts, and
 * the number of parts.
 *
 * @throws {StowageError} `upload_already_stored` unless the bytes are known to be the same
 */
export async function checkStoredFile(file: File, job: UploadJob, partSizeBytes: number): Promise<void> {
  const { source, signal } = job;
  const { sizeBytes } = source;
  const isSame = file.size === sizeBytes && (await etagOf()) === file.etag?.replaceAll('"', "").toLowerCase();
  if (!isSame) {
    throw new StowageError("upload_already_stored", {
      detail: `The upload ${file.file_path} is complete, and its bytes are not known to be the bytes of this file`,
    });
  }

  async function etagOf(): Promise<string | undefined> {
    if (!source.isReadableAgain) return undefined;
    const all = createHash("md5");
    const count = countParts(sizeBytes, partSizeBytes);
    for (let number = 1; number <= count; number++) {
      const range = rangeOfPart(number, { sizeBytes, partSizeBytes });
      all.update(await md5Of(readChunks(() => source.open(range), signal)));
    }
    return `${all.digest("hex")}-${count}`;
  }
}
