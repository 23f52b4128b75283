import {
  calls,
  camelKeys,
  snakeKeys,
  errorCatalogue,
  limits,
  StowageError,
  type Call,
  type File,
} from "@stowage/schemas";
import { hideFromBrowser } from "../errors.js";
import { refuseBrowser } from "../refuse-browser.js";
import { toEvent, toFile, toPlan, toTenant, type Deleted, type Downloads } from "../service-api/records.js";
import { retryCall } from "../service-api/retry.js";
import { createServiceClient, type CallAnswer, type CallInput } from "../service-api/service-client.js";
import { exportLines } from "./export-lines.js";
import { readClientOptions, type StowageClientOptions } from "./client-options.js";
import { IncompleteUploadError } from "./incomplete-upload-error.js";
import type { CallOptions, OwnerOptions, StowageClient } from "./stowage-client.js";
import { upload } from "./upload.js";

export const BROWSER_REFUSAL =
  "@stowage/server/client was loaded in a browser: import it only in server code, where the API key stays secret, and replace a key that was bundled";

/**
 * Creates a client of the service for server code.
 *
 * @throws {TypeError} when an option is wrong
 * @throws {Error} in a browser; the module throws the same when a browser loads it
 *
 * @example
 * const files = createStowageClient({ apiKey: process.env.STOWAGE_API_KEY, baseUrl: process.env.STOWAGE_URL });
 * for await (const file of files.files({ tenantId: "user_ada" })) console.log(file.filename, file.size);
 */
export function createStowageClient(options: StowageClientOptions): StowageClient {
  // The module checks this too, but a bundler may remove the module's check.
  refuseBrowser(BROWSER_REFUSAL);
  // From here on only closures hold the key. Nothing on the returned object leads to it.
  const { retry, partRetry, stallTimeoutMs, ...config } = readClientOptions(options);
  const service = createServiceClient(config);
  const storage = { demandsMd5: false };
  /** For calls that the service answers late. */
  const following = createServiceClient({
    ...config,
    timeoutMs: config.timeoutMs + limits.eventsWaitSeconds * 1000,
  });

  async function run<T>(work: (signal: AbortSignal) => Promise<T>, given: CallOptions): Promise<T> {
    const signal = given.signal ?? new AbortController().signal;
    try {
      signal.throwIfAborted();
      return await work(signal);
    } catch (thrown) {
      throw toClientError(thrown, signal);
    }
  }

  const callWithRetries = <Made extends Call>(
    made: Made,
    input: CallInput<Made>,
    given: CallOptions,
    by = service,
  ) =>
    run<CallAnswer<Made>>(async (signal) => {
      const { body } = await retryCall(() => by.call(made, input, signal), retry, signal);
      return body;
    }, given);

  /** A call that creates something. Without a key, a retry could create it twice. */
  const callWithKey = <Made extends Call>(
    made: Made,
    input: CallInput<Made>,
    key: string | undefined,
    given: CallOptions,
  ) =>
    run<CallAnswer<Made>>(async (signal) => {
      const headers = key === undefined ? {} : { "Idempotency-Key": key };
      const policy = key === undefined ? { ...retry, retries: 0 } : retry;
      return (await retryCall(() => service.call(made, input, signal, headers), policy, signal)).body;
    }, given);

  return {
    async requestUpload(upload, given = {}) {
      const {
        tenantId,
        filename,
        contentType,
        size,
        contentMd5,
        metadata,
        folder,
        expiresAfter,
        cacheControl,
        visibility,
        replaces,
        idempotencyKey,
      } = upload;
      const input = {
        tenant_id: tenantId,
        filename,
        content_type: contentType,
        size,
        content_md5: contentMd5,
        metadata,
        folder,
        expires_after: expiresAfter,
        cache_control: cacheControl,
        visibility,
        replaces,
      };
      return camelKeys(await callWithKey(calls.requestUpload, input, idempotencyKey, given));
    },
    async upload(input, given = {}) {
      const deps = { service, retry, partRetry, stallTimeoutMs, storage };
      return run(async (signal) => toFile(await upload(deps, input, signal)), given);
    },
    async completeUpload(filePath, given = {}) {
      const input = { file_path: filePath, ...ownerOf(given) };
      return toFile(await callWithRetries(calls.completeUpload, input, given));
    },
    async cancelUpload(filePath, given = {}) {
      await callWithRetries(calls.cancelUpload, { file_path: filePath, ...ownerOf(given) }, given);
    },
    async openUpload(upload, given = {}) {
      const {
        tenantId,
        filename,
        contentType,
        size,
        metadata,
        folder,
        partSize,
        fingerprint,
        expiresAfter,
        cacheControl,
        visibility,
        replaces,
        idempotencyKey,
      } = upload;
      const input = {
        tenant_id: tenantId,
        filename,
        content_type: contentType,
        size,
        metadata,
        folder,
        part_size: partSize,
        fingerprint,
        expires_after: expiresAfter,
        cache_control: cacheControl,
        visibility,
        replaces,
      };
      return camelKeys(await callWithKey(calls.openUpload, input, idempotencyKey, given));
    },
    async signParts(filePath, parts, given = {}) {
      const wanted = parts.map(({ number, contentMd5 }) => ({ number, content_md5: contentMd5 }));
      const input = { file_path: filePath, ...ownerOf(given), parts: wanted };
      const answer = await callWithRetries(calls.signParts, input, given);
      return answer.parts.map((part) => camelKeys(part));
    },
    async *listParts(filePath, given = {}) {
      const query = { file_path: filePath, ...ownerOf(given) };
      yield* allPages(
        (cursor) => callWithRetries(calls.listParts, { ...query, cursor }, given),
        (page) => page.parts.map((part) => camelKeys(part)),
      );
    },
    async *listUploads(tenantId, { pageSize, ...given } = {}) {
      const query = { tenant_id: tenantId, limit: pageSize ?? limits.maxPageSize };
      yield* allPages(
        (cursor) => callWithRetries(calls.listUploads, { ...query, cursor }, given),
        (page) => page.uploads.map((upload) => camelKeys(upload)),
      );
    },
    async file(filePath, given = {}) {
      const input = { file_path: filePath, ...ownerOf(given) };
      return toFile(await callWithRetries(calls.findFile, input, given));
    },
    async downloadUrl(filePath, given = {}) {
      const { expiresIn, disposition, filename, reuse, variant, accept, version } = given;
      const input = {
        file_path: filePath,
        version,
        ...ownerOf(given),
        expires_in: expiresIn,
        disposition,
        filename,
        reuse,
        variant,
        accept,
      };
      return camelKeys(await callWithRetries(calls.createDownload, input, given));
    },
    async downloadUrls(filePaths, given = {}) {
      const { expiresIn, disposition, reuse, variant, accept } = given;
      const options = { ...ownerOf(given), expires_in: expiresIn, disposition, reuse, variant, accept };
      const all: Downloads = { downloads: [], notFound: [], refused: [] };
      for (const batch of inBatches(filePaths, limits.downloadPaths)) {
        const input = { file_paths: batch, ...options };
        const answer = await callWithRetries(calls.createDownloads, input, given);
        all.downloads.push(...answer.downloads.map((download) => camelKeys(download)));
        all.notFound.push(...answer.not_found);
        all.refused.push(...(answer.refused ?? []).map((file) => camelKeys(file)));
      }
      return all;
    },
    async createLink(filePath, given = {}) {
      const { expiresAfter, maxDownloads, password, disposition } = given;
      const input = {
        file_path: filePath,
        ...ownerOf(given),
        expires_after: expiresAfter,
        max_downloads: maxDownloads,
        password,
        disposition,
      };
      return camelKeys(await callWithKey(calls.createLink, input, undefined, given));
    },
    async *links({ filePath, pageSize, ...given }) {
      const query = { ...ownerOf(given), file_path: filePath, limit: pageSize ?? limits.maxPageSize };
      yield* allPages(
        (cursor) => callWithRetries(calls.listLinks, { ...query, cursor }, given),
        (page) => page.links.map((link) => camelKeys(link)),
      );
    },
    async revokeLink(linkId, given = {}) {
      const input = { link_id: linkId, ...ownerOf(given) };
      return camelKeys(await callWithRetries(calls.revokeLink, input, given));
    },
    async deleteFiles(filePaths, given = {}) {
      const owner = ownerOf(given);
      const paths = typeof filePaths === "string" ? [filePaths] : filePaths;
      const all: Deleted = { deleted: [], notFound: [] };
      for (const batch of inBatches(paths, limits.deletePaths)) {
        const input = { file_paths: batch, ...owner, purge: given.purge, trash_only: given.trashOnly };
        const answer = await callWithRetries(calls.deleteFiles, input, given);
        all.deleted.push(...answer.deleted);
        all.notFound.push(...answer.not_found);
        if (answer.on_hold) all.onHold = [...(all.onHold ?? []), ...answer.on_hold];
      }
      return all;
    },
    async restoreFile(filePath, given = {}) {
      const input = { file_path: filePath, ...ownerOf(given) };
      return toFile((await callWithRetries(calls.restoreFiles, input, given)) as File);
    },
    async listVersions(filePath, given = {}) {
      const query = { file_path: filePath, ...ownerOf(given) };
      return (await callWithRetries(calls.listVersions, query, given)).versions.map(toFile);
    },
    async restoreVersion(filePath, version, given = {}) {
      const input = { file_path: filePath, version, ...ownerOf(given) };
      return toFile(await callWithRetries(calls.restoreVersion, input, given));
    },
    async holdFile(filePath, hold, given = {}) {
      const input = { file_path: filePath, ...ownerOf(given), hold };
      return toFile(await callWithRetries(calls.holdFile, input, given));
    },
    async updateFile(filePath, { filename, metadata, folder }, given = {}) {
      const input = { file_path: filePath, ...ownerOf(given), filename, metadata, folder };
      return toFile(await callWithRetries(calls.updateFile, input, given));
    },
    async setVisibility(filePath, visibility, given = {}) {
      const input = { file_path: filePath, ...ownerOf(given), visibility };
      return toFile(await callWithRetries(calls.setVisibility, input, given));
    },
    async deleteTenant(tenantId, given = {}) {
      try {
        const answer = await callWithRetries(calls.deleteTenant, { tenant_id: tenantId }, given);
        return answer.remaining_files;
      } catch (error) {
        // The job of the service may have finished between two calls, or the answer of the last call was lost.
        if (error instanceof StowageError && error.code === "tenant_not_found") return 0;
        throw error;
      }
    },
    async *exportTenant(tenantId, { after, ...given } = {}) {
      const lines = exportLines({ config, retry }, { tenantId, after });
      try {
        for (;;) {
          const line = await run((signal) => lines.next(signal), given);
          if (line === null) return;
          yield line;
        }
      } finally {
        lines.close();
      }
    },
    async *files({ pageSize, status, q, metadata, contentType, ...given } = {}) {
      const { folder, folderBelow, createdFrom, createdTo, sizeFrom, sizeTo } = given;
      const query = {
        ...ownerOf(given),
        status,
        q,
        metadata,
        folder,
        folder_below: folderBelow,
        content_type: contentType,
        created_from: createdFrom?.toISOString(),
        created_to: createdTo?.toISOString(),
        size_from: sizeFrom,
        size_to: sizeTo,
        limit: pageSize ?? limits.maxPageSize,
      };
      yield* allPages(
        (cursor) => callWithRetries(calls.listFiles, { ...query, cursor }, given),
        (page) => page.files.map(toFile),
      );
    },
    async *folders(tenantId, { parent, pageSize, ...given } = {}) {
      const query = { tenant_id: tenantId, parent, limit: pageSize ?? limits.maxPageSize };
      yield* allPages(
        (cursor) => callWithRetries(calls.listFolders, { ...query, cursor }, given),
        (page) => page.folders.map((folder) => camelKeys(folder)),
      );
    },
    async moveFolder(tenantId, from, to, given = {}) {
      const input = { tenant_id: tenantId, from, to };
      return (await callWithKey(calls.moveFolder, input, undefined, given)).job_id;
    },
    async deleteFolder(tenantId, folder, given = {}) {
      const input = { tenant_id: tenantId, folder };
      return (await callWithKey(calls.deleteFolder, input, undefined, given)).job_id;
    },
    async job(jobId, given = {}) {
      return camelKeys(await callWithRetries(calls.readJob, { job_id: jobId, ...ownerOf(given) }, given));
    },
    async *tenants({ pageSize, q, sort, ...given } = {}) {
      const query = { q, sort, limit: pageSize ?? limits.maxPageSize };
      yield* allPages(
        (cursor) => callWithRetries(calls.listTenants, { ...query, cursor }, given),
        (page) => page.tenants.map(toTenant),
      );
    },
    async *followEvents({ after, types, pageSize, ...given } = {}) {
      const query = { types: types?.join(","), limit: pageSize };
      // The first call does not wait, so it yields the cursor of an empty log at once.
      for (let cursor = after, wait = 0; ; wait = limits.eventsWaitSeconds) {
        const page = await callWithRetries(
          calls.followEvents,
          { ...query, after: cursor, wait },
          given,
          following,
        );
        if (page.events.length > 0 || page.next_cursor !== cursor)
          yield { events: page.events.map(toEvent), nextCursor: page.next_cursor };
        cursor = page.next_cursor;
      }
    },
    async usage(tenantId, given = {}) {
      return camelKeys(await callWithRetries(calls.readUsage, { tenant_id: tenantId }, given));
    },
    async dailyUsage({ from, to, ...given } = {}) {
      const query = { ...ownerOf(given), from, to };
      return (await callWithRetries(calls.readDailyUsage, query, given)).days.map((day) => camelKeys(day));
    },
    async monthlyUsage({ from, to, ...given } = {}) {
      const query = { ...ownerOf(given), from, to };
      const { months } = await callWithRetries(calls.readMonthlyUsage, query, given);
      return months.map((month) => camelKeys(month));
    },
    async setLimits(tenantId, limits, given = {}) {
      const input = { ...snakeKeys(limits), tenant_id: tenantId };
      return toTenant(await callWithRetries(calls.setLimits, input, given));
    },
    async plans(given = {}) {
      return (await callWithRetries(calls.listPlans, {}, given)).plans.map(toPlan);
    },
    async setPlan(name, limits, given = {}) {
      return toPlan(await callWithRetries(calls.setPlan, { ...snakeKeys(limits), name }, given));
    },
    async deletePlan(name, given = {}) {
      return toPlan(await callWithRetries(calls.deletePlan, { name }, given));
    },
    async setQuota(tenantId, quotaBytes, given = {}) {
      const input = { tenant_id: tenantId, quota_bytes: quotaBytes };
      return toTenant(await callWithRetries(calls.setQuota, input, given));
    },
  };
}

/** Yields the entries of a list, and reads a page only when the one before was read. */
async function* allPages<Page extends { next_cursor: string | null }, Entry>(
  read: (cursor: string | undefined) => Promise<Page>,
  entriesOf: (page: Page) => Entry[],
): AsyncGenerator<Entry, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read(cursor);
    yield* entriesOf(page);
    cursor = page.next_cursor;
  }
}

/** Each path once. */
function* inBatches(filePaths: readonly string[], size: number): Generator<string[]> {
  const paths = [...new Set(filePaths)];
  for (let start = 0; start < paths.length; start += size) yield paths.slice(start, start + size);
}

/**
 * A `tenantId` that is present but undefined comes from a session that was not checked. It must not open every tenant's files.
 *
 * @throws {StowageError} `tenant_id_required`
 */
function ownerOf(options: OwnerOptions): { tenant_id?: string } {
  if (!("tenantId" in options)) return {};
  if (options.tenantId === undefined || options.tenantId === null) {
    throw hideFromBrowser(new StowageError("tenant_id_required"));
  }
  return { tenant_id: options.tenantId };
}

/**
 * Converts a failure into the error that server code receives. Server code can fix what an operator's error describes, so the text
 * for the operator becomes the message.
 */
function toClientError(thrown: unknown, signal: AbortSignal): unknown {
  // A cancelled call rejects with the signal's own reason, as `fetch` does.
  if (signal.aborted) return signal.reason;
  if (!(thrown instanceof StowageError)) return thrown;
  if (thrown instanceof IncompleteUploadError) {
    return hideFromBrowser(new IncompleteUploadError(withOperatorMessage(thrown), thrown.filePath));
  }
  return hideFromBrowser(withOperatorMessage(thrown));
}

function withOperatorMessage(error: StowageError): StowageError {
  if (!(error.cause instanceof Error)) return error;
  // Any other message than the catalogue's is already specific.
  if (error.message !== errorCatalogue[error.code].detail) return error;
  const { message: detail, cause } = error.cause;
  // The service client uses internal_error for one thing only: an API key that the service refused.
  const code = error.code === "internal_error" ? "unauthorized" : error.code;
  const { retryAfterSeconds } = error;
  return new StowageError(code, { detail, retryAfterSeconds, ...(cause === undefined ? {} : { cause }) });
}
