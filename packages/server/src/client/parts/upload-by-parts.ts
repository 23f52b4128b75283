import { randomUUID } from "node:crypto";
import { calls, camelKeys, type File, type OpenUploadResponse } from "@stowage/schemas";
import { retryCall } from "../../service-api/retry.js";
import { onAbort } from "../../on-abort.js";
import { discardUpload } from "../discard-upload.js";
import type { UploadJob } from "../upload-job.js";
import { sendAndComplete } from "./send-and-complete.js";

/**
 * Opens an upload by parts, sends every part and completes it.
 *
 * @throws {StowageError} the service's refusal
 * @throws {IncompleteUploadError} after a failure of an open upload
 */
export async function uploadByParts(job: UploadJob): Promise<File> {
  const opened = await openUpload(job);
  try {
    await job.input.onOpen?.(camelKeys(opened));
  } catch (thrown) {
    await discardUpload(job, opened.file_path);
    throw thrown;
  }
  const upload = { filePath: opened.file_path, partSizeBytes: opened.part_size };
  return sendAndComplete(job, upload, []);
}

async function openUpload(job: UploadJob): Promise<OpenUploadResponse> {
  const { signal } = job;
  const opening = requestOpen(job);
  try {
    return await orAbort(opening, signal);
  } catch (thrown) {
    // The service may have opened it. It would reserve its size for days.
    if (signal.aborted) void opening.then((opened) => discardUpload(job, opened.file_path)).catch(() => {});
    throw thrown;
  }
}

/** Continues after an abort, because only its answer tells the path of the upload that has to be deleted then. */
async function requestOpen({ deps, input, parts, source }: UploadJob): Promise<OpenUploadResponse> {
  const wire = {
    tenant_id: input.tenantId,
    filename: source.filename,
    content_type: source.contentType,
    size: source.sizeBytes,
    metadata: input.metadata,
    folder: input.folder,
    expires_after: input.expiresAfter,
    cache_control: input.cacheControl,
    visibility: input.visibility,
    replaces: input.replaces,
    part_size: parts.partSizeBytes,
  };
  const headers = { "Idempotency-Key": randomUUID() };
  const { signal } = new AbortController();
  const open = () => deps.service.call(calls.openUpload, wire, signal, headers);
  return (await retryCall(open, deps.retry, signal)).body;
}

function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason));
    void work.then(resolve, reject).finally(stopListening);
  });
}
