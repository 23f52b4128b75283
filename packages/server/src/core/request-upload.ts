import {
  calls,
  limits,
  StowageError,
  type BrowserMultipartResponse,
  type BrowserRequestResponse,
  type BrowserUploadRequest,
  type OpenUploadResponse,
  type UploadResponse,
} from "@stowage/schemas";
import { mediaTypeOf } from "@stowage/schemas/rules";
import type { Config } from "../config.js";
import { requestTicket } from "../service-api/request-ticket.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceAnswer, ServiceClient } from "../service-api/service-client.js";
import { checkUpload, requireSize } from "./check-upload.js";
import type { Caller } from "./identify-caller.js";
import { secondsUntil } from "./seconds-until.js";
import { toBrowserParts } from "./upload-parts.js";

type Deps = Pick<Config, "routes" | "timeoutMs" | "multipartFrom"> & {
  service: ServiceClient;
  retryDelayMs: RetryDelay;
};

/**
 * Checks one upload against its route and asks the service for an upload in the caller's tenant: a URL for one PUT, or an upload by
 * parts. Only a call with an idempotency key is retried here: without one, each call that reaches the service creates a pending file,
 * which reserves its size in the quota until it expires.
 *
 * @throws {StowageError} such as `route_not_found`, `file_too_large`, `upload_refused`, `quota_exceeded`, `unavailable`
 */
export async function requestUpload(
  deps: Deps,
  caller: Caller,
  input: BrowserUploadRequest,
): Promise<BrowserRequestResponse> {
  const choices = await checkUpload(deps, caller, input);
  const key = input.idempotencyKey;
  const { signal } = caller.request;
  const request = () => requestEither(deps, caller, input, choices);
  const { body: ticket, answeredAt } = await (
    key === undefined ? request() : retryUnavailable(request, deps.retryDelayMs, signal)
  ).catch(async (thrown: unknown) => {
    throw isQuotaExceeded(thrown)
      ? await explainQuota(deps.service, caller, requireSize(input), thrown)
      : thrown;
  });
  const answer = toBrowserAnswer(ticket, answeredAt);
  if (!("part_size" in answer) || !input.signParts) return answer;
  const parts = await signFirstParts(deps, caller, answer, input.signParts);
  return { ...answer, parts };
}

type Ticket = UploadResponse | OpenUploadResponse;

async function requestEither(
  deps: Deps,
  { tenantId, request: { signal } }: Caller,
  input: BrowserUploadRequest,
  { metadata, replaces }: Awaited<ReturnType<typeof checkUpload>>,
): Promise<ServiceAnswer<Ticket>> {
  const { filename, contentType, contentMd5, fingerprint, idempotencyKey: key } = input;
  const route = deps.routes?.get(input.route ?? "");
  const size = requireSize(input);
  const upload = {
    filename,
    size,
    // Without a type, the service chooses it by the same table.
    content_type: contentType && mediaTypeOf({ name: filename, type: contentType }),
    metadata,
    folder: route?.folder,
    expires_after: route?.expiresAfter,
    cache_control: route?.cacheControl,
    visibility: route?.visibility,
    replaces,
    tenant_id: tenantId,
  };
  if (isByParts(deps, input, size)) {
    const openUpload = { ...upload, fingerprint };
    return requestTicket(deps.service, calls.openUpload, openUpload, { key, signal });
  }
  const put = { ...upload, content_md5: contentMd5 };
  return requestTicket(deps.service, calls.requestUpload, put, { key, signal });
}

/** A client that gives the MD5 of the whole file gets one PUT: storage checks an MD5 only for each request. */
function isByParts(
  { routes, multipartFrom }: Pick<Config, "routes" | "multipartFrom">,
  { acceptsParts, contentMd5, route, slowLine }: BrowserUploadRequest,
  size: number,
): boolean {
  const threshold = routes?.get(route ?? "")?.multipartFrom ?? multipartFrom;
  // A threshold of Infinity switches parts off.
  const isLarge =
    size >= threshold || (slowLine === true && size > limits.minPartSizeBytes && threshold < Infinity);
  return acceptsParts === true && contentMd5 === undefined && size > 0 && isLarge;
}

function toBrowserAnswer(ticket: Ticket, answeredAt: Date): BrowserRequestResponse {
  const { tenant_id: _tenantId, is_new_tenant: _isNewTenant, ...forBrowser } = ticket;
  const seconds = secondsUntil(ticket.expires_at, answeredAt);
  return "part_size" in forBrowser
    ? { ...forBrowser, expires_in: seconds }
    : { ...forBrowser, expires_in: Math.min(seconds, limits.uploadUrlSeconds) };
}

/** @returns undefined if the parts cannot be signed now. The page then asks for them, and gets the reason */
async function signFirstParts(
  { service }: Pick<Deps, "service">,
  { tenantId, request: { signal } }: Caller,
  { file_path, part_count }: BrowserMultipartResponse,
  atMost: number,
): Promise<BrowserMultipartResponse["parts"]> {
  const parts = Array.from({ length: Math.min(atMost, part_count) }, (_, index) => ({ number: index + 1 }));
  try {
    const signed = await service.call(calls.signParts, { file_path, tenant_id: tenantId, parts }, signal);
    return toBrowserParts(signed);
  } catch {
    return undefined;
  }
}

const isQuotaExceeded = (thrown: unknown): thrown is StowageError =>
  thrown instanceof StowageError && thrown.code === "quota_exceeded";

/** Adds the bytes that open uploads reserve, if the upload would fit without them. The widget then offers to discard them. */
async function explainQuota(
  service: ServiceClient,
  { tenantId, request }: Caller,
  size: number,
  refusal: StowageError,
): Promise<StowageError> {
  try {
    const { body: usage } = await service.call(calls.readUsage, { tenant_id: tenantId }, request.signal);
    const wouldFit = usage.quota_bytes === null || usage.used_bytes + size <= usage.quota_bytes;
    if (usage.reserved_bytes === 0 || !wouldFit) return refusal;
    return new StowageError("quota_exceeded", { reservedBytes: usage.reserved_bytes });
  } catch {
    // Without the usage, the user still gets the refusal itself.
    return refusal;
  }
}
