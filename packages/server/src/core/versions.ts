import {
  calls,
  StowageError,
  type BrowserListedFile,
  type BrowserRestoreVersionRequest,
  type BrowserVersionsQuery,
  type BrowserVersionsResponse,
} from "@stowage/schemas";
import type { Config } from "../config.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { askAbout, findAllowed, requireAllowed } from "./is-allowed.js";
import { toListed } from "./list-files.js";

type VersionDeps = Pick<Config, "allowVersions" | "timeoutMs"> & {
  service: ServiceClient;
  retryDelayMs: RetryDelay;
};

/**
 * Lists the versions of one of the caller's files, the last one first, if `allowVersions` allows it. Another user's file is reported as
 * not found.
 *
 * @throws {StowageError} `versions_refused`, `file_not_found`, `unavailable`
 */
export async function listVersions(
  deps: VersionDeps,
  caller: Caller,
  { filePath }: BrowserVersionsQuery,
): Promise<BrowserVersionsResponse> {
  await requireAllowed(deps, "allowVersions", caller, filePath);
  return { versions: (await readVersions(deps, caller, filePath)).map(toListed) };
}

async function readVersions(deps: VersionDeps, { request, tenantId }: Caller, filePath: string) {
  const query = { file_path: filePath, tenant_id: tenantId };
  const list = () => deps.service.call(calls.listVersions, query, request.signal);
  return (await retryUnavailable(list, deps.retryDelayMs, request.signal)).body.versions;
}

/**
 * Asks both options about the file, and `allowDownload` also about the version, whose name and metadata are its own.
 *
 * @throws {StowageError} `download_refused`, `versions_refused`, `unavailable`; `file_not_found`, also for a version of another file
 */
export async function requireDownloadOfVersion(
  deps: VersionDeps & Pick<Config, "allowDownload">,
  caller: Caller,
  filePath: string,
  version: string,
): Promise<void> {
  if (deps.allowDownload === true) return requireAllowed(deps, "allowVersions", caller, filePath);
  await askAbout(deps, "allowVersions", caller, await findAllowed(deps, "allowDownload", caller, filePath));
  const found = (await readVersions(deps, caller, filePath)).find((one) => one.file_path === version);
  if (!found) throw new StowageError("file_not_found");
  await askAbout(deps, "allowDownload", caller, found);
}

/**
 * Stores a version of one of the caller's files again in place of the file, if `allowVersions` allows it.
 *
 * @throws {StowageError} `versions_refused`, `file_on_hold`, `file_being_replaced`, `unavailable`; `file_not_found`, also for a version of
 * another file
 */
export async function restoreVersion(
  deps: VersionDeps,
  caller: Caller,
  { filePath, version }: BrowserRestoreVersionRequest,
): Promise<BrowserListedFile> {
  await requireAllowed(deps, "allowVersions", caller, filePath);
  const { signal } = caller.request;
  const ownVersion = { file_path: filePath, version, tenant_id: caller.tenantId };
  const restore = () => deps.service.call(calls.restoreVersion, ownVersion, signal);
  return toListed((await retryUnavailable(restore, deps.retryDelayMs, signal)).body);
}
