import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { calls, StowageError, type File, type UploadResponse } from "@stowage/schemas";
import { requestTicket } from "../service-api/request-ticket.js";
import { retryCall, type RetryPolicy } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import { openSource, type Source } from "./open-source.js";
import { putBytes } from "./put-bytes.js";

interface Common {
  /** Your own ID of the user who owns the file. */
  tenantId: string;
  /** Media type. By default the service derives it from the filename. */
  contentType?: string | undefined;
  /** MD5 of the bytes in Base64. Storage refuses bytes that do not match it. */
  contentMd5?: string | undefined;
  /** Your own labels, stored with the file. */
  metadata?: Record<string, string> | undefined;
}

/** The file to upload. `filename` and `size` are required where they cannot be read from `file` itself. */
export type UploadInput = Common &
  (
    | { file: string | (Blob & { readonly name: string }); filename?: string | undefined }
    | { file: Blob | Uint8Array; filename: string }
    | { file: ReadableStream<Uint8Array> | Readable; filename: string; size: number }
  );

interface Deps {
  service: ServiceClient;
  retry: RetryPolicy;
  stallTimeoutMs: number;
}

/**
 * Requests, PUTs and completes one file. A failed PUT is retried with a fresh URL if the bytes can be read again.
 *
 * @throws {StowageError} the service's refusal; `unavailable` when storage cannot be reached; `invalid_request` when the bytes
 * cannot be read or their number differs from the announced size
 * @throws the signal's reason
 */
export async function upload(deps: Deps, input: UploadInput, signal: AbortSignal): Promise<File> {
  const source = await openSource(input);
  try {
    signal.throwIfAborted();
    const ticket = await requestAndPut(deps, input, source, signal);
    return await complete(deps, ticket.file_path, input.tenantId, signal);
  } finally {
    source.release();
  }
}

/** An outcome that ends the retries: a failed request for an upload has been retried already. */
type PutOutcome = { ticket: UploadResponse } | { failure: unknown };

async function requestAndPut(
  deps: Deps,
  input: UploadInput,
  source: Source,
  signal: AbortSignal,
): Promise<UploadResponse> {
  const { retry, stallTimeoutMs } = deps;
  let ticket = await request(deps, input, source, signal);
  let isFirst = true;
  const attempt = async (): Promise<PutOutcome> => {
    if (!isFirst) {
      try {
        ticket = await request(deps, input, source, signal);
      } catch (failure) {
        return { failure };
      }
    }
    isFirst = false;
    try {
      const { presigned_url: url, headers } = ticket;
      await putBytes({ url, headers, source, stallTimeoutMs, signal });
      return { ticket };
    } catch (thrown) {
      // A pending file would reserve its size in the quota for an hour.
      const discarded = discard(deps, ticket.file_path, input.tenantId);
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
async function request(
  { service, retry }: Deps,
  input: UploadInput,
  source: Source,
  signal: AbortSignal,
): Promise<UploadResponse> {
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

async function complete(deps: Deps, path: string, tenantId: string, signal: AbortSignal): Promise<File> {
  const { service, retry } = deps;
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
async function discard({ service, retry }: Deps, path: string, tenantId: string): Promise<boolean> {
  const signal = AbortSignal.timeout(DISCARD_TIMEOUT_MS);
  const body = { file_paths: [path], tenant_id: tenantId };
  try {
    await retryCall(() => service.call(calls.deleteFiles, body, signal), retry, signal);
    return true;
  } catch {
    return false;
  }
}
