import { calls, StowageError, type BrowserDeleteRequest } from "@stowage/schemas";
import type { Caller } from "../identify.js";
import { retryUnavailable } from "../retry.js";
import { toFile } from "../records.js";
import { runCallback } from "../routes/run-callback.js";
import type { CoreDeps } from "./core.js";

type Deps = Pick<CoreDeps, "service" | "retryDelayMs" | "allowDelete" | "timeoutMs">;

/**
 * Deletes a file of the caller's own, where the customer lets its users do so. Another's file is not found, as if it were
 * not there.
 *
 * @throws {StowageError} `delete_refused`, `file_not_found`, `unavailable`
 */
export async function deleteFile(
  deps: Deps,
  caller: Caller,
  { filePath }: BrowserDeleteRequest,
): Promise<Record<string, never>> {
  if (deps.allowDelete === false) throw new StowageError("delete_refused");
  // Whose file it is is judged first: a callback sees nobody else's, and a refusal tells nothing of what exists.
  const own = { file_path: filePath, tenant_id: caller.tenantId };
  const repeated = <T>(call: () => Promise<T>) => retryUnavailable(call, deps.retryDelayMs, caller.leaving);
  const { body: file } = await repeated(() =>
    deps.service.call(calls.findFile, own, { stop: caller.leaving }),
  );
  if (!(await isAllowed(deps, { request: caller.request, tenantId: caller.tenantId, file: toFile(file) }))) {
    throw new StowageError("delete_refused");
  }
  await repeated(() => deps.service.call(calls.deleteFiles, own, { stop: caller.leaving }));
  return {};
}

async function isAllowed(
  { allowDelete, timeoutMs }: Deps,
  context: Parameters<Exclude<Deps["allowDelete"], boolean>>[0],
): Promise<boolean> {
  if (typeof allowDelete === "boolean") return allowDelete;
  return (await runCallback({ name: "allowDelete", timeoutMs }, () => allowDelete(context))) === true;
}
