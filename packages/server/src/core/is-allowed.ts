import { calls, StowageError, type File } from "@stowage/schemas";
import type {
  CallerContext,
  Config,
  FileContext,
  FolderContext,
  FolderJobContext,
  PathContext,
  UpdateContext,
} from "../config.js";
import { toFile } from "../service-api/records.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { runCallback } from "./run-callback.js";

interface Contexts {
  allowList: FileContext;
  allowDownload: FileContext;
  allowShare: FileContext;
  allowVersions: FileContext;
  allowUsage: CallerContext;
  allowDelete: FileContext;
  allowRestore: PathContext;
  allowUpdate: UpdateContext;
  allowFolders: FolderContext;
  allowFolderJobs: FolderJobContext;
}

/**
 * Asks one of the customer's `allow…` options about a call.
 *
 * @throws {StowageError} what a function threw; `internal_error` if it threw another error or did not answer in time
 */
export async function isAllowed<Name extends keyof Contexts>(
  config: Pick<Config, Name | "timeoutMs">,
  name: Name,
  context: Contexts[Name],
): Promise<boolean> {
  // A function that accepts the context of its own option. TypeScript cannot see that `Name` selects both.
  const allow = config[name] as boolean | ((context: Contexts[Name]) => boolean | Promise<boolean>);
  if (typeof allow === "boolean") return allow;
  const { timeoutMs } = config;
  // Only `true` allows: a customer without TypeScript may return any value.
  return (await runCallback({ name, timeoutMs }, () => allow(context))) === true;
}

const REFUSALS = {
  allowDownload: "download_refused",
  allowShare: "share_refused",
  allowVersions: "versions_refused",
  allowDelete: "delete_refused",
} as const;

type AskDeps<Name extends keyof typeof REFUSALS> = Pick<Config, Name | "timeoutMs"> & {
  service: ServiceClient;
  retryDelayMs: RetryDelay;
};

/**
 * Finds a file of the caller, and asks one of these options about it. Ownership is checked before a function runs. Otherwise a refusal
 * would reveal that another user's file exists.
 *
 * @throws {StowageError} the option's refusal, `file_not_found`, `unavailable`; what a function threw, as {@link isAllowed}
 */
export async function findAllowed<Name extends keyof typeof REFUSALS>(
  deps: AskDeps<Name>,
  name: Name,
  caller: Caller,
  filePath: string,
): Promise<File> {
  if (deps[name] === false) throw new StowageError(REFUSALS[name]);
  const { request, tenantId } = caller;
  const ownFile = { file_path: filePath, tenant_id: tenantId };
  const find = () => deps.service.call(calls.findFile, ownFile, request.signal);
  const { body: file } = await retryUnavailable(find, deps.retryDelayMs, request.signal);
  await askAbout(deps, name, caller, file);
  return file;
}

/**
 * Asks one of these options about a file that belongs to the caller.
 *
 * @throws {StowageError} the option's refusal; what a function threw, as {@link isAllowed}
 */
export async function askAbout<Name extends keyof typeof REFUSALS>(
  config: Pick<Config, Name | "timeoutMs">,
  name: Name,
  { request, tenantId }: Caller,
  file: File,
): Promise<void> {
  const context: FileContext = { request, tenantId, file: toFile(file) };
  // Each of these options takes it. TypeScript cannot see that.
  if (!(await isAllowed(config, name, context as Contexts[Name]))) throw new StowageError(REFUSALS[name]);
}

/**
 * The same for a call that needs no more of the file. `true` allows it without looking for the file: the service checks the owner with the
 * call itself.
 *
 * @throws {StowageError} as {@link findAllowed}
 */
export async function requireAllowed<Name extends keyof typeof REFUSALS>(
  deps: AskDeps<Name>,
  name: Name,
  caller: Caller,
  filePath: string,
): Promise<void> {
  if (deps[name] !== true) await findAllowed(deps, name, caller, filePath);
}
