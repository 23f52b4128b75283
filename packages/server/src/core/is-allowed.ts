import type {
  CallerContext,
  Config,
  FileContext,
  FolderContext,
  PathContext,
  UpdateContext,
} from "../config.js";
import { runCallback } from "./run-callback.js";

interface Contexts {
  allowList: FileContext;
  allowDownload: FileContext;
  allowUsage: CallerContext;
  allowDelete: FileContext;
  allowRestore: PathContext;
  allowUpdate: UpdateContext;
  allowFolders: FolderContext;
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
