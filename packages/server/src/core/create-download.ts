import {
  calls,
  limits,
  StowageError,
  type BrowserDownloadRequest,
  type BrowserDownloadResponse,
  type BrowserDownloadsRequest,
  type BrowserDownloadsResponse,
  type BrowserErrorBody,
} from "@stowage/schemas";
import type { Config } from "../config.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import { runBatch } from "./batch.js";
import type { Caller } from "./identify-caller.js";
import { requireAllowed } from "./is-allowed.js";
import { requireDownloadOfVersion } from "./versions.js";

export type CreateDownloadDeps = Pick<Config, "allowDownload" | "allowVersions" | "timeoutMs"> & {
  service: ServiceClient;
  retryDelayMs: RetryDelay;
};

/**
 * Creates a URL that reads one of the caller's files for 15 minutes, or with `reuse` for 7.5 to 15, if `allowDownload` allows it. For a
 * version of the file, `allowVersions` must allow it too, and `allowDownload` also the version. Another user's file is reported as not found.
 *
 * @throws {StowageError} `download_refused`, `versions_refused`, `file_not_found`, `unavailable`; with a variant also `preset_not_found`,
 * `variant_pending`, `variant_impossible`, `variant_failed`
 */
export async function createDownload(
  deps: CreateDownloadDeps,
  caller: Caller,
  { filePath, version, disposition, reuse, variant }: BrowserDownloadRequest,
): Promise<BrowserDownloadResponse> {
  const { service, retryDelayMs } = deps;
  const { request, tenantId } = caller;
  const { signal } = request;
  if (version === undefined) await requireAllowed(deps, "allowDownload", caller, filePath);
  else await requireDownloadOfVersion(deps, caller, filePath, version);
  const ownFile = { file_path: filePath, version, tenant_id: tenantId };
  const image = { variant, accept: acceptOf(request, variant) };
  const body = { ...ownFile, ...image, disposition, reuse, expires_in: limits.browserDownloadUrlSeconds };
  const sign = () => service.call(calls.createDownload, body, signal);
  return (await retryUnavailable(sign, retryDelayMs, signal)).body;
}

/**
 * Creates such URLs for up to 100 files. `allowDownload` is asked about each. A file that it does not allow is in `refused`, and does
 * not fail the others.
 *
 * @throws {StowageError} `download_refused` if no file can be downloaded here; `unavailable`
 */
export async function createDownloads(
  deps: CreateDownloadDeps & Pick<Config, "onError">,
  caller: Caller,
  { filePaths, disposition, reuse, variant }: BrowserDownloadsRequest,
): Promise<BrowserDownloadsResponse> {
  if (deps.allowDownload === false) throw new StowageError("download_refused");
  const { request, tenantId } = caller;
  const { signal } = request;
  const failures = deps.allowDownload === true ? NO_FAILURES : await failuresOf(deps, caller, filePaths);
  const allowed = filePaths.filter((path) => !failures.has(path));
  const options = {
    tenant_id: tenantId,
    disposition,
    reuse,
    variant,
    accept: acceptOf(request, variant),
    expires_in: limits.browserDownloadUrlSeconds,
  };
  const sign = () => deps.service.call(calls.createDownloads, { file_paths: allowed, ...options }, signal);
  const signed =
    allowed.length === 0
      ? { downloads: [], not_found: [], refused: [] }
      : (await retryUnavailable(sign, deps.retryDelayMs, signal)).body;
  const missing = new Set(signed.not_found);
  const refusals = new Map(signed.refused?.map((refusal) => [refusal.file_path, refusal]));
  for (const [file_path, { code, detail }] of failures) {
    if (code === "file_not_found") missing.add(file_path);
    else refusals.set(file_path, { file_path, code, detail });
  }
  const refused = filePaths.flatMap((path) => refusals.get(path) ?? []);
  return {
    downloads: signed.downloads,
    not_found: filePaths.filter((path) => missing.has(path)),
    ...(refused.length > 0 && { refused }),
  };
}

/** A browser names the formats of images that it shows when an `<img>` asks. */
function acceptOf(request: Request, variant: string | undefined): string | undefined {
  const accept = request.headers.get("accept") ?? "";
  return variant !== undefined && accept.includes("image/") && accept.length <= limits.acceptLength
    ? accept
    : undefined;
}

const NO_FAILURES: ReadonlyMap<string, BrowserErrorBody> = new Map();

/** Asks `allowDownload` about each file, several at a time, and returns the errors by path. */
async function failuresOf(
  deps: CreateDownloadDeps & Pick<Config, "onError">,
  caller: Caller,
  filePaths: string[],
): Promise<Map<string, BrowserErrorBody>> {
  const { results } = await runBatch(deps, caller, filePaths, (path) =>
    requireAllowed(deps, "allowDownload", caller, path),
  );
  const failures = new Map<string, BrowserErrorBody>();
  for (const [index, result] of results.entries()) {
    if (!("error" in result)) continue;
    // The service cannot be reached, so the same call later may answer all files.
    if (result.error.code === "unavailable") throw new StowageError("unavailable");
    failures.set(filePaths[index]!, result.error);
  }
  return failures;
}
