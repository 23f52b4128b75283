import { calls, StowageError, type File } from "@stowage/schemas";
import { choosePartSize, countParts } from "@stowage/schemas/rules";
import { retryCall } from "../../service-api/retry.js";
import type { UploadJob } from "../upload-job.js";
import { checkStoredFile } from "./check-stored-file.js";
import { listStoredParts, type StoredParts } from "./list-stored-parts.js";
import { isAlreadyStored, sendAndComplete } from "./send-and-complete.js";

/**
 * Continues an upload by parts. If it is complete already, returns its file, after a comparison with the source.
 *
 * @throws {StowageError} `file_not_found`; `upload_expired`; `invalid_request` for another size, and for an upload that is not by
 * parts; `upload_already_stored` if the stored file has other bytes
 */
export async function resumeUpload(job: UploadJob, filePath: string): Promise<File> {
  let found: StoredParts;
  try {
    found = await listStoredParts(job, filePath);
  } catch (thrown) {
    if (isAlreadyStored(thrown)) return findSameFile(job, filePath);
    throw thrown;
  }
  const { sizeBytes } = job.source;
  if (found.sizeBytes !== sizeBytes) {
    throw new StowageError("invalid_request", {
      detail: `The file has ${sizeBytes} bytes, but the upload was opened for ${found.sizeBytes}: the file was changed, cancel the upload and start a new one`,
    });
  }
  return sendAndComplete(job, { filePath, partSizeBytes: found.partSizeBytes }, found.parts);
}

async function findSameFile(job: UploadJob, filePath: string): Promise<File> {
  const { deps, input, parts, source, signal } = job;
  const query = { file_path: filePath, tenant_id: input.tenantId };
  const request = () => deps.service.call(calls.findFile, query, signal);
  const { body: file } = await retryCall(request, deps.partRetry, signal);
  await checkStoredFile(file, job, parts.partSizeBytes ?? partSizeOf(file.etag, source.sizeBytes));
  return file;
}

/** The part size that the service has chosen: larger than usual if its storage takes fewer parts. The ETag ends with their number. */
function partSizeOf(etag: string | null, sizeBytes: number): number {
  const usual = choosePartSize(sizeBytes);
  const count = Number(/-([1-9]\d{0,4})"?$/.exec(etag ?? "")?.[1] ?? 0);
  return count === 0 || countParts(sizeBytes, usual) === count ? usual : choosePartSize(sizeBytes, count);
}
