import { calls, StowageError, type BrowserDeleteRequest } from "@stowage/schemas";
import type { Config } from "../config.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { isAllowed } from "./is-allowed.js";

/**
 * Restores one of the caller's files from the trash if `allowRestore` allows it. The service does not show a file in the trash, so the
 * callback gets its path only.
 *
 * @throws {StowageError} `restore_refused`, `file_not_found` for a file that is not in the trash or of another user, `unavailable`
 */
export async function restoreFile(
  deps: Pick<Config, "allowRestore" | "timeoutMs"> & { service: ServiceClient; retryDelayMs: RetryDelay },
  { request, tenantId }: Caller,
  { filePath }: BrowserDeleteRequest,
): Promise<Record<string, never>> {
  if (!(await isAllowed(deps, "allowRestore", { request, tenantId, filePath }))) {
    throw new StowageError("restore_refused");
  }
  const { signal } = request;
  const ownFile = { file_path: filePath, tenant_id: tenantId };
  const restore = () => deps.service.call(calls.restoreFiles, ownFile, signal);
  await retryUnavailable(restore, deps.retryDelayMs, signal);
  return {};
}
