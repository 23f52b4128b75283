import {
  calls,
  StowageError,
  type BrowserDeleteFolderRequest,
  type BrowserJob,
  type BrowserJobQuery,
  type BrowserMoveFolderRequest,
  type BrowserStartedJob,
} from "@stowage/schemas";
import type { Config } from "../config.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { isAllowed } from "./is-allowed.js";
import { requireFolder } from "./list-folders.js";

type JobDeps = Pick<Config, "allowFolderJobs" | "allowFolders" | "timeoutMs"> & {
  service: ServiceClient;
  retryDelayMs: RetryDelay;
};

/**
 * Starts a job that gives one of the caller's folders another name, if `allowFolders` allows both folders and `allowFolderJobs` the move.
 * The service is called once: after the end of the job, a repeated call would move newer files.
 *
 * @throws {StowageError} `folder_refused`, `folder_job_refused`, `folder_busy`, `tenant_not_found`, `invalid_request`, `unavailable`
 */
export async function moveFolder(
  deps: JobDeps,
  caller: Caller,
  { from, to }: BrowserMoveFolderRequest,
): Promise<BrowserStartedJob> {
  await requireJob(deps, caller, from, to);
  const { request, tenantId } = caller;
  const move = { tenant_id: tenantId, from, to };
  return (await deps.service.call(calls.moveFolder, move, request.signal)).body;
}

/**
 * Starts a job that deletes the files in one of the caller's folders and below it, as {@link moveFolder} does.
 *
 * @throws {StowageError} as {@link moveFolder}
 */
export async function deleteFolder(
  deps: JobDeps,
  caller: Caller,
  { folder }: BrowserDeleteFolderRequest,
): Promise<BrowserStartedJob> {
  await requireJob(deps, caller, folder, undefined);
  const { request, tenantId } = caller;
  return (await deps.service.call(calls.deleteFolder, { tenant_id: tenantId, folder }, request.signal)).body;
}

/**
 * Tells how far a job of the caller is, unless `allowFolderJobs` is false. A function is not asked, because a job has no folder. Another
 * user's job is reported as not found.
 *
 * @throws {StowageError} `folder_job_refused`, `job_not_found`, `unavailable`
 */
export async function readJob(
  deps: JobDeps,
  caller: Caller,
  { jobId }: BrowserJobQuery,
): Promise<BrowserJob> {
  if (deps.allowFolderJobs === false) throw new StowageError("folder_job_refused");
  const { request, tenantId } = caller;
  const query = { job_id: jobId, tenant_id: tenantId };
  const read = () => deps.service.call(calls.readJob, query, request.signal);
  const { tenant_id: _tenantId, ...job } = (await retryUnavailable(read, deps.retryDelayMs, request.signal))
    .body;
  return job;
}

async function requireJob(
  deps: JobDeps,
  caller: Caller,
  folder: string,
  to: string | undefined,
): Promise<void> {
  if (deps.allowFolderJobs === false) throw new StowageError("folder_job_refused");
  await requireFolder(deps, caller, folder);
  if (to !== undefined) await requireFolder(deps, caller, to);
  const { request, tenantId } = caller;
  if (!(await isAllowed(deps, "allowFolderJobs", { request, tenantId, folder, to }))) {
    throw new StowageError("folder_job_refused");
  }
}
