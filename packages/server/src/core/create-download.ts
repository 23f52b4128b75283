import {
  calls,
  limits,
  StowageError,
  type BrowserDownloadRequest,
  type BrowserDownloadResponse,
} from "@stowage/schemas";
import type { Config } from "../config.js";
import { toFile } from "../service-api/records.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { isAllowed } from "./is-allowed.js";

/**
 * Creates a URL that reads one of the caller's files for 15 minutes, if `allowDownload` allows it. Another user's file is reported
 * as not found.
 *
 * @throws {StowageError} `download_refused`, `file_not_found`, `unavailable`
 */
export async function createDownload(
  deps: Pick<Config, "allowDownload" | "timeoutMs"> & { service: ServiceClient; retryDelayMs: RetryDelay },
  { request, tenantId }: Caller,
  { filePath, disposition }: BrowserDownloadRequest,
): Promise<BrowserDownloadResponse> {
  if (deps.allowDownload === false) throw new StowageError("download_refused");
  const { service, retryDelayMs } = deps;
  const { signal } = request;
  const ownFile = { file_path: filePath, tenant_id: tenantId };
  if (deps.allowDownload !== true) {
    // Ownership is checked before the callback runs. Otherwise a refusal would reveal that another user's file exists.
    const find = () => service.call(calls.findFile, ownFile, signal);
    const { body: file } = await retryUnavailable(find, retryDelayMs, signal);
    if (!(await isAllowed(deps, "allowDownload", { request, tenantId, file: toFile(file) }))) {
      throw new StowageError("download_refused");
    }
  }
  const body = { ...ownFile, disposition, expires_in: limits.browserDownloadUrlSeconds };
  const sign = () => service.call(calls.createDownload, body, signal);
  return (await retryUnavailable(sign, retryDelayMs, signal)).body;
}
