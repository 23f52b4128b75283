import { calls, StowageError, type BrowserDeleteRequest } from "@stowage/schemas";
import type { Config } from "../config.js";
import { toFile } from "../service-api/records.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { isAllowed } from "./is-allowed.js";

/**
 * Deletes one of the caller's files if `allowDelete` allows it. Another user's file is reported as not found.
 *
 * @throws {StowageError} `delete_refused`, `file_not_found`, `unavailable`
 */
export async function deleteFile(
  deps: Pick<Config, "allowDelete" | "timeoutMs"> & { service: ServiceClient; retryDelayMs: RetryDelay },
  { request, tenantId }: Caller,
  { filePath }: BrowserDeleteRequest,
): Promise<Record<string, never>> {
  if (deps.allowDelete === false) throw new StowageError("delete_refused");
  const { service, retryDelayMs } = deps;
  const { signal } = request;
  const ownFile = { file_path: filePath, tenant_id: tenantId };
  // Ownership is checked before the callback runs. Otherwise a refusal would reveal that another user's file exists.
  const find = () => service.call(calls.findFile, ownFile, signal);
  const { body: file } = await retryUnavailable(find, retryDelayMs, signal);
  if (!(await isAllowed(deps, "allowDelete", { request, tenantId, file: toFile(file) }))) {
    throw new StowageError("delete_refused");
  }
  const remove = () => service.call(calls.deleteFiles, ownFile, signal);
  await retryUnavailable(remove, retryDelayMs, signal);
  return {};
}
