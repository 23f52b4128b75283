import { StowageError, type File } from "@stowage/schemas";
import type { UploadJob } from "../upload-job.js";
import { type ExpectedEtag, expectEtag } from "./etags.js";
import { readParts } from "./read-parts.js";

/**
 * Reads the source and compares it with the file of an upload that another process completed.
 *
 * @throws {StowageError} `upload_already_stored` unless the bytes are known to be the same
 */
export async function checkStoredFile(file: File, job: UploadJob, partSizeBytes: number): Promise<void> {
  const { source, signal } = job;
  const etag = expectEtag();
  if (file.size === source.sizeBytes) {
    for await (const part of readParts(source, partSizeBytes, signal)) etag.add(part.md5);
    if (etag.compareObject(file.etag) === "same") return;
  }
  throw new StowageError("upload_already_stored", {
    detail: `The upload ${file.file_path} is complete, and its bytes are not known to be the bytes of this file`,
  });
}

/**
 * Compares the file with the parts that were sent. It differs if another process sent parts of another file to the same upload.
 *
 * @throws {StowageError} `upload_already_stored` if the bytes are known to differ
 */
export function checkSentParts(file: File, sent: ExpectedEtag): void {
  if (sent.compareObject(file.etag) !== "different") return;
  throw new StowageError("upload_already_stored", {
    detail: `The upload ${file.file_path} is complete, but it has other bytes than this file: another process sent parts to it`,
  });
}
