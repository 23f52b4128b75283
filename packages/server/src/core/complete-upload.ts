import {
  calls,
  browserFile,
  StowageError,
  type BrowserCompleteRequest,
  type BrowserCompleteResponse,
} from "@stowage/schemas";
import { fault } from "../fault.js";
import type { Caller } from "../identify.js";
import { retryUnavailable } from "../retry.js";
import { toFile, type StoredFile } from "../records.js";
import { runCallback } from "../routes/run-callback.js";
import { routeOf } from "../routes/route-label.js";
import type { CoreDeps } from "./core.js";

type Deps = Pick<CoreDeps, "service" | "retryDelayMs" | "routes" | "timeoutMs">;

/**
 * Has the service look for the uploaded bytes in storage, and then runs the `onComplete` of the route that let the file
 * in. The caller's tenant always goes along, so that one user's browser cannot complete, or even find, another's file.
 *
 * Safe to repeat: the service records a file once, and `onComplete` runs at each call.
 *
 * @throws {StowageError} such as `upload_not_found`, `file_not_found`, `callback_failed`, `unavailable`
 */
export async function completeUpload(
  deps: Deps,
  caller: Caller,
  { filePath }: BrowserCompleteRequest,
): Promise<BrowserCompleteResponse> {
  const body = { file_path: filePath, tenant_id: caller.tenantId };
  // To look twice changes nothing, so a call that failed on its way is made again.
  const { body: file } = await retryUnavailable(
    () => deps.service.call(calls.completeUpload, body, { stop: caller.leaving }),
    deps.retryDelayMs,
    caller.leaving,
  );
  // A delete may have come in between: the page is told that a file is there only of one that is.
  if (file.status !== "stored") throw new StowageError("upload_not_found");
  const result = await runOnComplete(deps, caller, toFile(file));
  return { ...browserFile.parse(file), ...(result === undefined ? {} : { result }) };
}

async function runOnComplete(
  { routes, timeoutMs }: Deps,
  caller: Caller,
  file: StoredFile,
): Promise<unknown> {
  const route = routeOf(file);
  const onComplete = route === undefined ? undefined : routes?.get(route)?.onComplete;
  if (route === undefined || onComplete === undefined) return undefined;
  const name = `routes.${route}.onComplete`;
  const { request, tenantId } = caller;
  const result = await runCallback({ name, timeoutMs, code: "callback_failed" }, () =>
    onComplete({ request, tenantId, route, file }),
  );
  return result === undefined ? undefined : asJson(name, result);
}

/** As the page gets it, whichever face writes it: a date is a text here already. */
function asJson(name: string, result: unknown): unknown {
  try {
    // Undefined for what JSON has no word for, such as a function: its parsing fails, too.
    return JSON.parse(JSON.stringify(result)) as unknown;
  } catch (thrown) {
    throw fault("callback_failed", `${name} returned what cannot be written as JSON`, { cause: thrown });
  }
}
