import { calls, StowageError, type File, type OpenUpload } from "@stowage/schemas";
import { choosePartSize } from "@stowage/schemas/rules";
import { retryCall } from "../../service-api/retry.js";
import type { UploadJob } from "../upload-job.js";
import { checkStoredFile } from "./check-stored-file.js";
import { listStoredParts } from "./list-stored-parts.js";
import { sendAndComplete } from "./send-and-complete.js";

/**
 * Continues an upload by parts. If it is complete already, returns its file, after a comparison with the source.
 *
 * @throws {StowageError} `file_not_found`; `upload_expired`; `invalid_request` for another size, and for an upload that is not by
 * parts; `upload_already_stored` if the stored file has other bytes
 */
export async function resumeUpload(job: UploadJob, filePath: string): Promise<File> {
  const { deps, input, parts, source, signal } = job;
  const query = { file_path: filePath, tenant_id: input.tenantId };
  const request = () => deps.service.call(calls.findFile, query, signal);
  const { body: file } = await retryCall(request, deps.retry, signal);
  if (file.status === "stored") {
    await checkStoredFile(file, job, parts.partSizeBytes ?? choosePartSize(source.sizeBytes));
    return file;
  }
  if (file.status !== "pending") throw new StowageError("upload_expired");
  const { declared_size: declaredSize, part_size: partSizeBytes } = await findOpenUpload(job, filePath);
  if (declaredSize !== source.sizeBytes) {
    throw new StowageError("invalid_request", {
      detail: `The file has ${source.sizeBytes} bytes, but the upload was opened for ${declaredSize}: the file was changed, cancel the upload and start a new one`,
    });
  }
  const stored = await listStoredParts(job, filePath);
  return sendAndComplete(job, { filePath, partSizeBytes }, stored);
}

/** Only the list of open uploads tells the size and the part size. */
async function findOpenUpload({ deps, input, signal }: UploadJob, filePath: string): Promise<OpenUpload> {
  for (let cursor: string | undefined | null; cursor !== null;) {
    const query = { tenant_id: input.tenantId, limit: 100, cursor: cursor ?? undefined };
    const request = () => deps.service.call(calls.listUploads, query, signal);
    const { body } = await retryCall(request, deps.retry, signal);
    const found = body.uploads.find(({ file_path }) => file_path === filePath);
    if (found) return found;
    cursor = body.next_cursor;
  }
  throw new StowageError("invalid_request", { detail: "resume is not the path of an upload by parts" });
}
