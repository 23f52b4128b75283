import { calls, type BrowserCancelRequest } from "@stowage/schemas";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";

/**
 * Ends one of the caller's uploads and returns its reservation. The caller's tenant is always sent along, so that no user can
 * cancel another user's upload. Safe to repeat.
 *
 * @throws {StowageError} `upload_already_stored`, and then the file is kept; `file_not_found`, `unavailable`
 */
export async function cancelUpload(
  deps: { service: ServiceClient; retryDelayMs: RetryDelay },
  { request: { signal }, tenantId }: Caller,
  { filePath }: BrowserCancelRequest,
): Promise<Record<string, never>> {
  const body = { file_path: filePath, tenant_id: tenantId };
  const cancel = () => deps.service.call(calls.cancelUpload, body, signal);
  await retryUnavailable(cancel, deps.retryDelayMs, signal);
  return {};
}
