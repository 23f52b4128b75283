import {
  browserFile,
  calls,
  StowageError,
  type BrowserCompleteRequest,
  type BrowserCompleteResponse,
} from "@stowage/schemas";
import type { Config } from "../config.js";
import { operatorError } from "../errors.js";
import { routeOf } from "../routes/route-label.js";
import { toFile, type CompletedFile, type StoredFile } from "../service-api/records.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { requireVariant } from "./require-variant.js";
import { runCallback } from "./run-callback.js";

/**
 * Asks the service to check the uploaded bytes in storage, waits for the variant that the file's route requires, and runs the
 * route's `onComplete`. The caller's tenant is always sent along, so that no user can complete or find another user's file.
 *
 * Safe to repeat: the service records a file once. `onComplete` runs on every call.
 *
 * @throws {StowageError} such as `upload_not_found`, `file_not_found`, `image_unreadable`, `variant_pending`, `callback_failed`, `unavailable`
 */
export async function completeUpload(
  deps: Pick<Config, "routes" | "timeoutMs"> & { service: ServiceClient; retryDelayMs: RetryDelay },
  caller: Caller,
  { filePath }: BrowserCompleteRequest,
): Promise<BrowserCompleteResponse> {
  const body = { file_path: filePath, tenant_id: caller.tenantId };
  const { signal } = caller.request;
  const complete = () => deps.service.call(calls.completeUpload, body, signal);
  const { body: file } = await retryUnavailable(complete, deps.retryDelayMs, signal);
  // The file may have been deleted in the meantime. The page must not treat it as stored.
  const completed = toCompleted(toFile(file));
  if (completed === null) throw new StowageError("upload_not_found");
  const route = deps.routes?.get(routeOf(completed) ?? "");
  if (route?.requireVariant !== undefined) {
    await requireVariant(deps, caller, { filePath, preset: route.requireVariant });
  }
  const result = await runOnComplete(deps, caller, completed);
  return { ...browserFile.parse(file), ...(result === undefined ? {} : { result }) };
}

function toCompleted(file: StoredFile): CompletedFile | null {
  const { size, status, storedAt } = file;
  return status === "stored" && size !== null && storedAt !== null
    ? { ...file, size, status, storedAt }
    : null;
}

async function runOnComplete(
  { routes, timeoutMs }: Pick<Config, "routes" | "timeoutMs">,
  { request, tenantId }: Caller,
  file: CompletedFile,
): Promise<unknown> {
  const route = routeOf(file);
  if (route === undefined) return undefined;
  const onComplete = routes?.get(route)?.onComplete;
  if (onComplete === undefined) return undefined;
  const name = `routes.${route}.onComplete`;
  const result = await runCallback({ name, timeoutMs, code: "callback_failed" }, () =>
    onComplete({ request, tenantId, route, file }),
  );
  return result === undefined ? undefined : asJson(name, result);
}

/** Converts a result to JSON values here, so that the Web handler and tRPC send the same: a date becomes a string. */
function asJson(name: string, result: unknown): unknown {
  try {
    // JSON.stringify returns undefined for a function or a symbol. Parsing that fails, as it should.
    return JSON.parse(JSON.stringify(result)) as unknown;
  } catch (thrown) {
    throw operatorError("callback_failed", `${name} returned a value that cannot be written as JSON`, {
      cause: thrown,
    });
  }
}
