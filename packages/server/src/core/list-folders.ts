import { calls, StowageError, type BrowserFoldersQuery, type BrowserFoldersResponse } from "@stowage/schemas";
import type { Config } from "../config.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { isAllowed } from "./is-allowed.js";

type FolderDeps = Pick<Config, "allowFolders" | "timeoutMs">;

/**
 * Lists one page of the folders directly in a folder of the caller, by name. Folders that `allowFolders` does not allow are left out, so
 * a page may be short or empty and still have a next one.
 *
 * @throws {StowageError} `folder_refused`, `invalid_request` for a cursor that no list made, `unavailable`
 */
export async function listFolders(
  deps: FolderDeps & { service: ServiceClient; retryDelayMs: RetryDelay },
  caller: Caller,
  query: BrowserFoldersQuery,
): Promise<BrowserFoldersResponse> {
  await requireFolder(deps, caller, query.parent);
  const { request, tenantId } = caller;
  const list = () => deps.service.call(calls.listFolders, { ...query, tenant_id: tenantId }, request.signal);
  const { folders, next_cursor } = (await retryUnavailable(list, deps.retryDelayMs, request.signal)).body;
  const allowed = await Promise.all(
    folders.map(({ folder }) => isAllowed(deps, "allowFolders", { request, tenantId, folder })),
  );
  return { folders: folders.filter((_, index) => allowed[index]), next_cursor };
}

/** @throws {StowageError} `folder_refused` if `allowFolders` does not allow the folder */
export async function requireFolder(
  deps: FolderDeps,
  { request, tenantId }: Caller,
  folder: string,
): Promise<void> {
  if (!(await isAllowed(deps, "allowFolders", { request, tenantId, folder }))) {
    throw new StowageError("folder_refused");
  }
}
