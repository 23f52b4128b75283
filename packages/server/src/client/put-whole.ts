import { createHash, randomUUID } from "node:crypto";
import { calls, StowageError, type File, type UploadResponse } from "@stowage/schemas";
import { requestTicket } from "../service-api/request-ticket.js";
import { retryCall } from "../service-api/retry.js";
import { discardUpload } from "./discard-upload.js";
import { isMissingMd5, putBytes } from "./put-bytes.js";
import { readChunks } from "./read-chunks.js";
import type { UploadJob } from "./upload-job.js";

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
  const { source, progress, signal } = job;
  const { retry } = job.deps;
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
      await put(job, ticket, sent);
      return { ticket };
    } catch (thrown) {
      sent.takeBack();
      // A pending file would reserve its size in the quota for an hour.
      const discarded = discardUpload(job, ticket.file_path);
      // Storage may have the bytes although its answer was lost. A retry without this deletion could store the file twice.
      if (!signal.aborted && !(await discarded)) return { failure: thrown };
      throw thrown;
    }
  };
  const outcome = await retryCall(attempt, source.isReadableAgain ? retry : { ...retry, retries: 0 }, signal);
  if ("failure" in outcome) throw outcome.failure;
  return outcome.ticket;
}

/** PUTs the bytes, and again with their MD5 once storage demands one. */
async function put(
  { deps, input, source, signal }: UploadJob,
  { presigned_url: url, headers }: UploadResponse,
  sent: ReturnType<UploadJob["progress"]["start"]>,
): Promise<void> {
  const { storage, stallTimeoutMs } = deps;
  // The URL signs the MD5 of the caller.
  const addsMd5 = input.contentMd5 === undefined;
  const send = async () => {
    const md5 = addsMd5 && storage.demandsMd5 ? { "Content-MD5": await md5Of(source, signal) } : {};
    const own = { ...headers, ...md5 };
    await putBytes({ url, headers: own, body: source, stallTimeoutMs, onProgress: sent.add, signal });
  };
  const knew = storage.demandsMd5;
  try {
    await send();
  } catch (thrown) {
    if (!addsMd5 || knew || !isMissingMd5(thrown)) throw thrown;
    storage.demandsMd5 = true;
    if (!source.isReadableAgain)
      throw new StowageError("invalid_request", {
        detail: `${(thrown as StowageError).message}: it demands a Content-MD5, and a stream is read only once. Give contentMd5, or a path or bytes in place of the stream. This client sends later streams by parts, which have one`,
      });
    sent.takeBack();
    await send();
  }
}

/** The URL does not sign it, and storage checks it anyway. */
async function md5Of({ open }: UploadJob["source"], signal: AbortSignal): Promise<string> {
  const hash = createHash("md5");
  for await (const chunk of readChunks(open, signal)) hash.update(chunk);
  return hash.digest("base64");
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
    folder: input.folder,
    expires_after: input.expiresAfter,
    cache_control: input.cacheControl,
    visibility: input.visibility,
    replaces: input.replaces,
  };
  const key = randomUUID();
  const request = () => requestTicket(service, calls.requestUpload, wire, { key, signal });
  const { body } = await retryCall(request, retry, signal);
  return body;
}

async function complete(job: UploadJob, path: string): Promise<File> {
  const { input, signal } = job;
  const { service, retry } = job.deps;
  const body = { file_path: path, tenant_id: input.tenantId };
  try {
    const answer = await retryCall(() => service.call(calls.completeUpload, body, signal), retry, signal);
    return answer.body;
  } catch (thrown) {
    if (signal.aborted) void discardUpload(job, path);
    else if (thrown instanceof StowageError && retry.codes.includes(thrown.code)) {
      throw new StowageError(thrown.code, {
        detail: `The bytes are stored as ${path}, but the service did not confirm it yet: do not upload them again, call completeUpload with this path later`,
        retryAfterSeconds: thrown.retryAfterSeconds,
      });
    }
    throw thrown;
  }
}
