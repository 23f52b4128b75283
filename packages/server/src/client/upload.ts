import type { Readable } from "node:stream";
import { calls, StowageError, type File } from "@stowage/schemas";
import { retryCall, type RetryRule } from "../retry.js";
import type { ServiceClient } from "../service-client.js";
import { openSource, type Source } from "./open-source.js";
import { putBytes } from "./put-bytes.js";

interface Common {
  /** The user whose file it is: your own ID. */
  tenantId: string;
  /** Media type; left out, the service finds it by the filename. */
  contentType?: string | undefined;
  /** Base64 MD5, which storage holds the bytes against. */
  contentMd5?: string | undefined;
  /** Your own labels, kept with the file. */
  metadata?: Record<string, string> | undefined;
}

/** What to upload, and what has to be said beside it: a name where it has none, a size where none can be seen. */
export type UploadInput = Common &
  (
    | { file: string | (Blob & { readonly name: string }); filename?: string | undefined }
    | { file: Blob | Uint8Array; filename: string }
    | { file: ReadableStream<Uint8Array> | Readable; filename: string; size: number }
  );

interface Deps {
  service: ServiceClient;
  retry: RetryRule;
  stallTimeoutMs: number;
}

/** How long an upload given up may still be busy giving its reservation back. */
const CLEAN_UP_MS = 10_000;

/**
 * Request, PUT and complete in one. A PUT that failed is made again under a fresh URL, if its bytes can be read again.
 *
 * @throws {StowageError} the service's refusal; `unavailable` when storage is out of reach; `invalid_request` when the
 * bytes cannot be read or are not as many as announced
 * @throws the signal's reason
 */
export async function upload(deps: Deps, input: UploadInput, signal: AbortSignal): Promise<File> {
  const source = await openSource(input);
  try {
    return await store(deps, input, source, signal);
  } finally {
    source.release();
  }
}

async function store(deps: Deps, input: UploadInput, source: Source, signal: AbortSignal): Promise<File> {
  signal.throwIfAborted();
  const { service, retry, stallTimeoutMs } = deps;
  const asked = {
    tenant_id: input.tenantId,
    filename: source.filename,
    content_type: source.contentType,
    size: source.sizeBytes,
    content_md5: input.contentMd5,
    metadata: input.metadata,
  };

  const request = async () => (await service.call(calls.requestUpload, asked, { stop: signal })).body;
  let ticket = await request();
  let isFirst = true;
  const put = async () => {
    // Its failure is handed out, not thrown: a request for an upload is never repeated, whatever the reason.
    if (!isFirst) {
      const fresh = await request().catch((failure: unknown) => ({ failure }));
      if ("failure" in fresh) return fresh;
      ticket = fresh;
    }
    isFirst = false;
    try {
      const { presigned_url: url, headers } = ticket;
      return await putBytes({ url, headers, source, stallTimeoutMs, signal });
    } catch (thrown) {
      // Pending, it would hold its size against the quota for an hour.
      const gone = discard(deps, ticket.file_path, input.tenantId);
      // Storage may have the bytes although its answer was lost: a second PUT beside them would store the file twice.
      if (!signal.aborted && !(await gone)) return { failure: thrown };
      throw thrown;
    }
  };
  const outcome = await retryCall(put, source.isReadableAgain ? retry : { ...retry, retries: 0 }, signal);
  if (outcome !== undefined) throw outcome.failure;

  try {
    const body = { file_path: ticket.file_path, tenant_id: input.tenantId };
    return (await retryCall(() => service.call(calls.completeUpload, body, { stop: signal }), retry, signal))
      .body;
  } catch (thrown) {
    if (signal.aborted) void discard(deps, ticket.file_path, input.tenantId);
    else if (thrown instanceof StowageError && retry.codes.includes(thrown.code)) {
      throw new StowageError(thrown.code, {
        detail: `The bytes are stored as ${ticket.file_path}, but the service did not say so yet: do not upload them again, complete the path later`,
        retryAfterSeconds: thrown.retryAfterSeconds,
      });
    }
    throw thrown;
  }
}

/** Whether the file is gone. As well as it can be done: what stays lapses by itself. */
async function discard({ service, retry }: Deps, path: string, tenantId: string): Promise<boolean> {
  const signal = AbortSignal.timeout(CLEAN_UP_MS);
  const call = () =>
    service.call(calls.deleteFiles, { file_paths: [path], tenant_id: tenantId }, { stop: signal });
  return retryCall(call, retry, signal).then(
    () => true,
    () => false,
  );
}
