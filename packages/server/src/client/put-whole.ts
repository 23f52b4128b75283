import { randomUUID } from "node:crypto";
import { calls, StowageError, type File, type UploadResponse } from "@stowage/schemas";
import { requestTicket } from "../service-api/request-ticket.js";
import { retryCall } from "../service-api/retry.js";
import { putBytes } from "./put-bytes.js";
import type { UploadDeps, UploadJob } from "./upload-job.js";

/**
 * Requests, PUTs and completes one file with one PUT. A failed PUT is retried with a fresh URL if the bytes can be read again.
 *
 * @throws {StowageError} the service's refusal; `unavailable` when storage cannot be reached; `invalid_request` when the bytes
 * cannot be read or their number differs from the announced size
 * @throws the signal's reason
 */
export async function putWhole(job: UploadJob): Promise<File> {
  const ticket = await requestAndPut(job);
  return complete(job, ticket.file_path);
}

/** An outcome that ends the retries: a failed request for an upload has been retried already. */
type PutOutcome = { ticket: UploadResponse } | { failure: unknown };

async function requestAndPut(job: UploadJob): Promise<UploadResponse> {
  const { input, source, progress, signal } = job;
  const { retry, stallTimeoutMs } = job.deps;
  let ticket = await request(job);
  let isFirst = true;
  const attempt = async (): Promise<PutOutcome> => {
    if (!isFirst) {
      try {
        ticket = await request(job);
      } catch (failure) {
        return { failure };
      }
    }
    isFirst = false;
    const sent = progress.start();
    try {
      const { presigned_url: url, headers } = ticket;
      await putBytes({ url, headers, body: source, stallTimeoutMs, onProgress: sent.add, signal });
      return { ticket };
    } catch (thrown) {
      sent.takeBack();
      // A pending file would reserve its size in the quota for an hour.
      const discarded = discard(job.deps, ticket.file_path, input.tenantId);
      // Storage may have the bytes although its answer was lost. A retry without this deletion could store the file twice.
      if (!signal.aborted && !(await discarded)) return { failure: thrown };
      throw thrown;
    }
  };
  const outcome = await retryCall(attempt, source.isReadableAgain ? retry : { ...retry, retries: 0 }, signal);
  if ("failure" in outcome) throw outcome.failure;
  return outcome.ticket;
}

/** Each call of this function is another upload, with a key that makes it safe to retry. */
async function request({ deps, input, source, signal }: UploadJob): Promise<UploadResponse> {
  const { service, retry } = deps;
  const wire = {
    tenant_id: input.tenantId,
    filename: source.filename,
    content_type: source.contentType,
    size: source.sizeBytes,
    content_md5: input.contentMd5,
    metadata: input.metadata,
  };
  const key = randomUUID();
  const request = () => requestTicket(service, calls.requestUpload, wire, { key, signal });
  const { body } = await retryCall(request, retry, signal);
  return body;
}

async function complete({ deps, input, signal }: UploadJob, path: string): Promise<File> {
  const { service, retry } = deps;
  const { tenantId } = input;
  const body = { file_path: path, tenant_id: tenantId };
  try {
    const answer = await retryCall(() => service.call(calls.completeUpload, body, signal), retry, signal);
    return answer.body;
  } catch (thrown) {
    if (signal.aborted) void discard(deps, path, tenantId);
    else if (thrown instanceof StowageError && retry.codes.includes(thrown.code)) {
      throw new StowageError(thrown.code, {
        detail: `The bytes are stored as ${path}, but the service did not confirm it yet: do not upload them again, call completeUpload with this path later`,
        retryAfterSeconds: thrown.retryAfterSeconds,
      });
    }
    throw thrown;
  }
}

/** The longest time that a failed upload spends on releasing its reservation. */
const DISCARD_TIMEOUT_MS = 10_000;

/** Deletes the file, if possible. If it fails, the reservation expires by itself. @returns whether the file was deleted */
async function discard({ service, retry }: UploadDeps, path: string, tenantId: string): Promise<boolean> {
  const signal = AbortSignal.timeout(DISCARD_TIMEOUT_MS);
  const body = { file_paths: [path], tenant_id: tenantId };
  try {
    await retryCall(() => service.call(calls.deleteFiles, body, signal), retry, signal);
    return true;
  } catch {
    return false;
  }
}
