import { calls, limits, type BrowserUploadRequest, type BrowserUploadResponse } from "@stowage/schemas";
import { fault } from "../fault.js";
import type { Caller } from "../identify.js";
import { admitUpload } from "../routes/admit-upload.js";
import type { CoreDeps } from "./core.js";

/**
 * Asks for leave to upload one file into the caller's own tenant, once its route has let it in. Never retried here: each
 * call that reaches the service makes a pending file, which holds its size against the quota for an hour.
 *
 * @throws {StowageError} such as `route_not_found`, `file_too_large`, `upload_refused`, `quota_exceeded`, `unavailable`
 */
export async function requestUpload(
  deps: Pick<CoreDeps, "service" | "routes" | "timeoutMs">,
  caller: Caller,
  input: BrowserUploadRequest,
): Promise<BrowserUploadResponse> {
  const metadata = await admitUpload(deps, caller, input);
  const { body: ticket, answeredAt } = await deps.service.call(
    calls.requestUpload,
    {
      filename: input.filename,
      content_type: input.contentType,
      size: input.size,
      content_md5: input.contentMd5,
      metadata,
      tenant_id: caller.tenantId,
    },
    { stop: caller.leaving },
  );
  const { tenant_id: _tenantId, is_new_tenant: _isNewTenant, ...forBrowser } = ticket;
  return { ...forBrowser, expires_in: secondsUntil(ticket.expires_at, answeredAt) };
}

function secondsUntil(expiresAt: string, now: Date): number {
  const seconds = Math.floor((Date.parse(expiresAt) - now.getTime()) / 1000);
  if (Number.isNaN(seconds))
    throw fault("unavailable", "The Stowage service answered an expires_at that is no time");
  return Math.min(Math.max(seconds, 0), limits.uploadUrlSeconds);
}
