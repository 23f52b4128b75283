import { calls, limits, StowageError, type File, type OpenUpload } from "@stowage/schemas";
import { choosePartSize } from "@stowage/schemas/rules";
import { retryCall } from "../../service-api/retry.js";
import type { UploadJob } from "../upload-job.js";
import { checkStoredFile } from "./check-stored-file.js";
import { sendAndComplete } from "./send-and-complete.js";

/**
 * Continues an upload by parts. If it is complete already, returns its file, after a comparison with the source.
 *
 * @throws {StowageError} `file_not_found`; `upload_expired`; `invalid_request` for another size, and for an upload that is not by
 * parts; `upload_already_stored` if the stored file has other bytes
 */
export async function resumeUpload(job: UploadJob, filePath: string): Promise<File> {
  const { sizeBytes } = job.source;
  const file = await findFile(job, filePath);
  if (file.status === "stored") return withCheckedBytes(job, file);
  if (file.status !== "pending") throw new StowageError("upload_expired");
  const open = await findOpenUpload(job, filePath);
  if (open === undefined) return completeMeanwhile(job, filePath);
  if (open.declared_size !== sizeBytes) {
    throw new StowageError("invalid_request", {
      detail: `The file has ${sizeBytes} bytes, but the upload was opened for ${open.declared_size}: the file was changed, cancel the upload and start a new one`,
    });
  }
  return sendAndComplete(job, { filePath, partSizeBytes: open.part_size }, { isResumed: true });
}

async function findFile({ deps, input, signal }: UploadJob, filePath: string): Promise<File> {
  const query = { file_path: filePath, tenant_id: input.tenantId };
  return (await retryCall(() => deps.service.call(calls.findFile, query, signal), deps.retry, signal)).body;
}

async function withCheckedBytes(job: UploadJob, file: File): Promise<File> {
  await checkStoredFile(file, job, job.parts.partSizeBytes ?? choosePartSize(job.source.sizeBytes));
  return file;
}

/** Only the list of open uploads tells the size and the part size. */
async function findOpenUpload(
  { deps, input, signal }: UploadJob,
  filePath: string,
): Promise<OpenUpload | undefined> {
  for (let cursor: string | undefined | null; cursor !== null;) {
    const query = { tenant_id: input.tenantId, limit: limits.maxPageSize, cursor: cursor ?? undefined };
    const request = () => deps.service.call(calls.listUploads, query, signal);
    const { body } = await retryCall(request, deps.retry, signal);
    const found = body.uploads.find(({ file_path }) => file_path === filePath);
    if (found) return found;
    cursor = body.next_cursor;
  }
  return undefined;
}

/** A pending file that is no open upload: it was completed since, or it was never an upload by parts. */
async function completeMeanwhile(job: UploadJob, filePath: string): Promise<File> {
  const file = await findFile(job, filePath);
  if (file.status === "stored") return withCheckedBytes(job, file);
  throw new StowageError("invalid_request", { detail: "resume is not the path of an upload by parts" });
}
