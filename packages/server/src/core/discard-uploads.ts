import { calls, limits, StowageError, type BrowserDiscardRequest } from "@stowage/schemas";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import { cancelUpload } from "./cancel-upload.js";
import type { Caller } from "./identify-caller.js";

/** Limits the duration of one call to 200 uploads. Another call ends the next ones. */
const MAX_PAGES = 2;
/** Limits how many cancellations run at the same time, because the service asks storage about each. */
const CONCURRENCY = 5;

/**
 * Ends the caller's unfinished uploads, the newest first, so that they no longer reserve quota. An upload whose bytes are in storage
 * is kept. The caller's tenant is always sent along, so that no user can end another user's uploads. Safe to repeat.
 *
 * @throws {StowageError} `unavailable`, and then some uploads may be ended already
 */
export async function discardUploads(
  deps: { service: ServiceClient; retryDelayMs: RetryDelay },
  caller: Caller,
  { except }: BrowserDiscardRequest,
): Promise<Record<string, never>> {
  const kept = new Set(except);
  const paths = (await openUploads(deps, caller)).filter((path) => !kept.has(path));
  for (let start = 0; start < paths.length; start += CONCURRENCY) {
    const batch = paths.slice(start, start + CONCURRENCY);
    await Promise.all(batch.map((path) => discard(deps, caller, path)));
  }
  return {};
}

async function openUploads(
  { service, retryDelayMs }: { service: ServiceClient; retryDelayMs: RetryDelay },
  { tenantId, request: { signal } }: Caller,
): Promise<string[]> {
  const paths: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { tenant_id: tenantId, status: "pending" as const, limit: limits.maxPageSize, cursor };
    const list = () => service.call(calls.listFiles, query, signal);
    const { body } = await retryUnavailable(list, retryDelayMs, signal);
    paths.push(...body.files.map((file) => file.file_path));
    if (body.next_cursor === null) break;
    cursor = body.next_cursor;
  }
  return paths;
}

/** Ignores an upload that has ended meanwhile. */
async function discard(
  deps: { service: ServiceClient; retryDelayMs: RetryDelay },
  caller: Caller,
  filePath: string,
): Promise<void> {
  try {
    await cancelUpload(deps, caller, { filePath });
  } catch (thrown) {
    const code = thrown instanceof StowageError ? thrown.code : undefined;
    if (code !== "upload_already_stored" && code !== "file_not_found") throw thrown;
  }
}
