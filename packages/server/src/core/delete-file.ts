import { calls, StowageError, type BrowserDeleteRequest, type BrowserDeleteResponse } from "@stowage/schemas";
import type { Config, PathContext } from "../config.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { findAllowed, isAllowed } from "./is-allowed.js";

/**
 * Deletes one of the caller's files if `allowDelete` allows it. Another user's file is reported as not found. The answer says whether
 * the caller can restore the file, so that a page offers this only then.
 *
 * @throws {StowageError} `delete_refused`, `file_not_found`, `unavailable`
 */
export async function deleteFile(
  deps: Pick<Config, "allowDelete" | "allowRestore" | "timeoutMs"> & {
    service: ServiceClient;
    retryDelayMs: RetryDelay;
  },
  caller: Caller,
  { filePath }: BrowserDeleteRequest,
): Promise<BrowserDeleteResponse> {
  const { service, retryDelayMs } = deps;
  const { request, tenantId } = caller;
  const { signal } = request;
  const file = await findAllowed(deps, "allowDelete", caller, filePath);
  const ownFile = { file_path: filePath, tenant_id: tenantId };
  const remove = (how: { trash_only?: true } = {}) =>
    retryUnavailable(
      () => service.call(calls.deleteFiles, { ...ownFile, ...how }, signal),
      retryDelayMs,
      signal,
    );
  if (file.status === "stored" && (await mayRestore(deps, { request, tenantId, filePath }))) {
    try {
      await remove({ trash_only: true });
      return { restorable: true };
    } catch (error) {
      // The project has no trash.
      if (!(error instanceof StowageError && error.code === "invalid_request")) throw error;
    }
  }
  await remove();
  return {};
}

/** A refusal of `allowRestore` is not one of the deletion. */
async function mayRestore(
  deps: Pick<Config, "allowRestore" | "timeoutMs">,
  context: PathContext,
): Promise<boolean> {
  try {
    return await isAllowed(deps, "allowRestore", context);
  } catch (error) {
    if (error instanceof StowageError && error.status === 403) return false;
    throw error;
  }
}
