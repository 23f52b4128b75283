import {
  calls,
  type BrowserLinksQuery,
  type BrowserLinksResponse,
  type BrowserRevokeLinkRequest,
  type BrowserShareRequest,
  type BrowserShareResponse,
} from "@stowage/schemas";
import type { Config } from "../config.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { requireAllowed } from "./is-allowed.js";

type ShareDeps = Pick<Config, "allowShare" | "timeoutMs"> & {
  service: ServiceClient;
  retryDelayMs: RetryDelay;
};

/**
 * Creates a share link of one of the caller's files, if `allowShare` allows it. Another user's file is reported as not found. The service
 * is called once: a repeated call would create a second link.
 *
 * @throws {StowageError} `share_refused`, `file_not_found`, `too_many_requests`, `unavailable`
 */
export async function shareFile(
  deps: ShareDeps,
  caller: Caller,
  { filePath, expiresAfter, maxDownloads, password, disposition }: BrowserShareRequest,
): Promise<BrowserShareResponse> {
  await requireAllowed(deps, "allowShare", caller, filePath);
  const link = {
    file_path: filePath,
    tenant_id: caller.tenantId,
    expires_after: expiresAfter,
    max_downloads: maxDownloads,
    password,
    disposition,
  };
  const { body } = await deps.service.call(calls.createLink, link, caller.request.signal);
  return withoutTenant(body);
}

/**
 * Lists one page of the share links of one of the caller's files, newest first, if `allowShare` allows it.
 *
 * @throws {StowageError} `share_refused`, `unavailable`; `file_not_found` if `allowShare` is a function
 */
export async function listLinks(
  deps: ShareDeps,
  caller: Caller,
  { filePath, limit, cursor }: BrowserLinksQuery,
): Promise<BrowserLinksResponse> {
  await requireAllowed(deps, "allowShare", caller, filePath);
  const { signal } = caller.request;
  const query = { file_path: filePath, tenant_id: caller.tenantId, limit, cursor };
  const list = () => deps.service.call(calls.listLinks, query, signal);
  const { body } = await retryUnavailable(list, deps.retryDelayMs, signal);
  return { links: body.links.map(withoutTenant), next_cursor: body.next_cursor };
}

/**
 * Ends a share link of one of the caller's files, if `allowShare` allows it.
 *
 * @throws {StowageError} `share_refused`, `unavailable`; `link_not_found`, also for a link of another file; `file_not_found` if
 * `allowShare` is a function
 */
export async function revokeLink(
  deps: ShareDeps,
  caller: Caller,
  { filePath, linkId }: BrowserRevokeLinkRequest,
): Promise<Record<string, never>> {
  await requireAllowed(deps, "allowShare", caller, filePath);
  const { signal } = caller.request;
  const link = { link_id: linkId, tenant_id: caller.tenantId, file_path: filePath };
  const revoke = () => deps.service.call(calls.revokeLink, link, signal);
  await retryUnavailable(revoke, deps.retryDelayMs, signal);
  return {};
}

function withoutTenant<Link extends { tenant_id: string }>({ tenant_id: _tenantId, ...link }: Link) {
  return link;
}
