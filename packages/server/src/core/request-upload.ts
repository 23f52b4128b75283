import {
  calls,
  limits,
  StowageError,
  type BrowserUploadRequest,
  type BrowserUploadResponse,
} from "@stowage/schemas";
import type { Config } from "../config.js";
import { operatorError } from "../errors.js";
import { requestTicket } from "../service-api/request-ticket.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import { checkUpload } from "./check-upload.js";
import type { Caller } from "./identify-caller.js";

/**
 * Checks one upload against its route and asks the service for an upload URL in the caller's tenant. Only a call with an idempotency
 * key is retried here: without one, each call that reaches the service creates a pending file, which reserves its size in the
 * quota for an hour.
 *
 * @throws {StowageError} such as `route_not_found`, `file_too_large`, `upload_refused`, `quota_exceeded`, `unavailable`
 */
export async function requestUpload(
  deps: Pick<Config, "routes" | "timeoutMs"> & { service: ServiceClient; retryDelayMs: RetryDelay },
  caller: Caller,
  input: BrowserUploadRequest,
): Promise<BrowserUploadResponse> {
  const metadata = await checkUpload(deps, caller, input);
  const upload = {
    filename: input.filename,
    content_type: input.contentType,
    size: input.size,
    content_md5: input.contentMd5,
    metadata,
    tenant_id: caller.tenantId,
  };
  const key = input.idempotencyKey;
  const { signal } = caller.request;
  const request = () => requestTicket(deps.service, upload, { key, signal });
  const { body: ticket, answeredAt } = await (
    key === undefined ? request() : retryUnavailable(request, deps.retryDelayMs, signal)
  ).catch(async (thrown: unknown) => {
    throw isQuotaExceeded(thrown) ? await explainQuota(deps.service, caller, input.size, thrown) : thrown;
  });
  const { tenant_id: _tenantId, is_new_tenant: _isNewTenant, ...forBrowser } = ticket;
  return { ...forBrowser, expires_in: secondsUntil(ticket.expires_at, answeredAt) };
}

const isQuotaExceeded = (thrown: unknown): thrown is StowageError =>
  thrown instanceof StowageError && thrown.code === "quota_exceeded";

/** Adds the bytes that open uploads reserve, if the upload would fit without them. The widget then offers to discard them. */
async function explainQuota(
  service: ServiceClient,
  { tenantId, request }: Caller,
  size: number | null | undefined,
  refusal: StowageError,
): Promise<StowageError> {
  try {
    const { body: usage } = await service.call(calls.readUsage, { tenant_id: tenantId }, request.signal);
    const wouldFit = usage.quota_bytes === null || usage.used_bytes + (size ?? 1) <= usage.quota_bytes;
    if (usage.reserved_bytes === 0 || !wouldFit) return refusal;
    return new StowageError("quota_exceeded", { reservedBytes: usage.reserved_bytes });
  } catch {
    // Without the usage, the user still gets the refusal itself.
    return refusal;
  }
}

function secondsUntil(expiresAt: string, now: Date): number {
  const seconds = Math.floor((Date.parse(expiresAt) - now.getTime()) / 1000);
  if (Number.isNaN(seconds)) {
    throw operatorError("unavailable", "The Stowage service answered an expires_at that is not a date");
  }
  return Math.min(Math.max(seconds, 0), limits.uploadUrlSeconds);
}
