import {
  browserUploadResponse,
  limits,
  snakeKeys,
  uploadResponse,
  type BrowserUploadRequest,
  type BrowserUploadResponse,
} from "@stowage/schemas";
import type { Caller } from "../identify.js";
import { fault } from "../fault.js";
import type { ServiceClient } from "../service-client.js";

/**
 * Asks for leave to upload one file into the caller's own tenant. Never retried here: each call that reaches the
 * service makes a pending file, which holds its size against the quota for an hour.
 *
 * @throws {StowageError} such as `quota_exceeded`, `file_too_large`, `unavailable`
 */
export async function requestUpload(
  { service }: { service: ServiceClient },
  caller: Caller,
  input: BrowserUploadRequest,
): Promise<BrowserUploadResponse> {
  // The tenant goes last: nothing in the input can stand in its place.
  const body = { ...snakeKeys(input), tenant_id: caller.tenantId };
  const { body: ticket, answeredAt } = await service.post("upload", body, uploadResponse, caller.signal);
  return browserUploadResponse.parse({ ...ticket, expires_in: secondsUntil(ticket.expires_at, answeredAt) });
}

function secondsUntil(expiresAt: string, now: Date): number {
  const seconds = Math.floor((Date.parse(expiresAt) - now.getTime()) / 1000);
  if (Number.isNaN(seconds))
    throw fault("unavailable", "The Stowage service answered an expires_at that is no time");
  return Math.min(Math.max(seconds, 0), limits.uploadUrlSeconds);
}
