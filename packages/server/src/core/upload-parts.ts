import {
  calls,
  limits,
  type BrowserListPartsQuery,
  type BrowserListPartsResponse,
  type BrowserSignPartsRequest,
  type BrowserSignPartsResponse,
  type SignPartsResponse,
} from "@stowage/schemas";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceAnswer, ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { secondsUntil } from "./seconds-until.js";

interface Deps {
  service: ServiceClient;
  retryDelayMs: RetryDelay;
}

/**
 * Signs the URLs of parts of one of the caller's uploads. The caller's tenant is always sent along, so that no user can write parts of
 * another user's upload. Safe to repeat.
 *
 * @throws {StowageError} `file_not_found`, `upload_expired`, `upload_already_stored`, `invalid_request`, `unavailable`
 */
export async function signParts(
  { service, retryDelayMs }: Deps,
  { request: { signal }, tenantId }: Caller,
  { filePath, parts: wanted }: BrowserSignPartsRequest,
): Promise<BrowserSignPartsResponse> {
  const body = {
    file_path: filePath,
    tenant_id: tenantId,
    parts: wanted.map(({ number, contentMd5 }) => ({ number, content_md5: contentMd5 })),
  };
  const sign = () => service.call(calls.signParts, body, signal);
  return { parts: toBrowserParts(await retryUnavailable(sign, retryDelayMs, signal)) };
}

/** Adds the seconds that the URLs are valid, because the clock of a browser can be wrong. */
export function toBrowserParts({
  body,
  answeredAt,
}: ServiceAnswer<SignPartsResponse>): BrowserSignPartsResponse["parts"] {
  return body.parts.map((part) => ({
    ...part,
    expires_in: Math.min(secondsUntil(part.expires_at, answeredAt), limits.uploadUrlSeconds),
  }));
}

/**
 * Lists the parts of one of the caller's uploads that are in storage, in pages.
 *
 * @throws {StowageError} `file_not_found`, `invalid_request`, `unavailable`
 */
export async function listParts(
  { service, retryDelayMs }: Deps,
  { request: { signal }, tenantId }: Caller,
  { filePath, cursor }: BrowserListPartsQuery,
): Promise<BrowserListPartsResponse> {
  const query = { file_path: filePath, tenant_id: tenantId, cursor };
  const list = () => service.call(calls.listParts, query, signal);
  const { parts, next_cursor } = (await retryUnavailable(list, retryDelayMs, signal)).body;
  return { parts, next_cursor };
}
