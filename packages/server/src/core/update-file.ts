import {
  calls,
  StowageError,
  type BrowserListedFile,
  type BrowserUpdateRequest,
  type File,
} from "@stowage/schemas";
import { accepts } from "@stowage/schemas/rules";
import type { Config } from "../config.js";
import { routeOf } from "../routes/route-label.js";
import { toFile } from "../service-api/records.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { isAllowed } from "./is-allowed.js";
import { toListed } from "./list-files.js";
import { requireFolder } from "./list-folders.js";

type Deps = Pick<Config, "allowUpdate" | "allowFolders" | "routes" | "timeoutMs"> & {
  service: ServiceClient;
  retryDelayMs: RetryDelay;
};

/**
 * Renames one of the caller's stored files, or moves it to another folder, if `allowUpdate` allows it. A move also needs `allowFolders`
 * for both folders, and a new name must be of a type that the file's route accepts. Another user's file is reported as not found.
 *
 * @throws {StowageError} `update_refused`, `folder_refused`, `file_type_not_accepted`, `file_not_found`, `unavailable`
 */
export async function updateFile(
  deps: Deps,
  caller: Caller,
  { filePath, filename, folder }: BrowserUpdateRequest,
): Promise<BrowserListedFile> {
  if (deps.allowUpdate === false) throw new StowageError("update_refused");
  const { service, retryDelayMs } = deps;
  const { request, tenantId } = caller;
  const { signal } = request;
  const ownFile = { file_path: filePath, tenant_id: tenantId };
  // Ownership is checked before a callback runs. Otherwise a refusal would reveal that another user's file exists.
  const find = () => service.call(calls.findFile, ownFile, signal);
  const { body: file } = await retryUnavailable(find, retryDelayMs, signal);
  if (file.status !== "stored") throw new StowageError("file_not_found");
  if (folder !== undefined) {
    await requireFolder(deps, caller, file.folder);
    await requireFolder(deps, caller, folder);
  }
  const context = { request, tenantId, file: toFile(file), change: { filename, folder } };
  if (!(await isAllowed(deps, "allowUpdate", context))) throw new StowageError("update_refused");
  if (filename !== undefined) checkName(deps, file, filename);
  const update = () => service.call(calls.updateFile, { ...ownFile, filename, folder }, signal);
  return toListed((await retryUnavailable(update, retryDelayMs, signal)).body);
}

/** Without this, a file that a route accepted could get a name that the route refuses, such as one of a program. */
function checkName({ routes }: Deps, file: File, name: string): void {
  const accept = routes?.get(routeOf(file) ?? "")?.rules.accept;
  if (!accepts(accept, { name, type: file.content_type })) throw new StowageError("file_type_not_accepted");
}
