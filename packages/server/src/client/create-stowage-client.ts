import {
  calls,
  camelKeys,
  limits,
  StowageError,
  type Call,
  type Disposition,
  type FileStatus,
  type TenantSort,
} from "@stowage/schemas";
import { retryCall } from "../retry.js";
import { createServiceClient, type CallAnswer, type CallInput } from "../service-client.js";
import { byFetch } from "../service-fetch.js";
import { readClientOptions, type StowageClientOptions } from "./client-options.js";
import { explain } from "./explain.js";
import {
  toFile,
  toTenant,
  type Deleted,
  type Download,
  type StoredFile,
  type Tenant,
  type UploadTicket,
  type Usage,
} from "../records.js";
import { refuseBrowser } from "./refuse-browser.js";
import { keepServerSide } from "../server-side.js";
import { upload, type UploadInput } from "./upload.js";

export interface CallOptions {
  /** Gives the call up; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface OwnerOptions extends CallOptions {
  /** Must own the file, else it is not found. Left out, any file of the project is meant; undefined is refused. */
  tenantId?: string;
}

export interface UploadRequest {
  tenantId: string;
  filename: string;
  contentType?: string | undefined;
  /** Bytes: storage then refuses any other length. */
  size?: number | undefined;
  contentMd5?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

export interface DownloadUrlOptions extends OwnerOptions {
  /** Seconds for which the URL is good. @default 3600 */
  expiresIn?: number | undefined;
  /** @default "attachment" */
  disposition?: Disposition | undefined;
  /** What the download is called, in place of the file's own name. */
  filename?: string | undefined;
}

export interface FilesOptions extends OwnerOptions {
  status?: FileStatus | undefined;
  /** Part of the name, in any case. */
  q?: string | undefined;
  /** Files that are asked for at a time. @default 100 */
  pageSize?: number | undefined;
}

export interface TenantsOptions extends CallOptions {
  q?: string | undefined;
  /** @default "created_at" */
  sort?: TenantSort | undefined;
  /** Tenants that are asked for at a time. @default 100 */
  pageSize?: number | undefined;
}

/**
 * The service, for server code. Every failure is a `StowageError` with a code of the catalogue, `unavailable` when
 * service or storage is out of reach, save an abort, which rejects with the signal's reason.
 */
export interface StowageClient {
  /** Asks for leave to PUT one file. Never repeated by itself: each call makes a pending file. */
  requestUpload(request: UploadRequest, options?: CallOptions): Promise<UploadTicket>;
  /**
   * Uploads a Blob, the file of a path, bytes or a stream, which is never held in memory whole.
   *
   * @throws {TypeError} for a stream without `size`, and for bytes without `filename`
   * @example await files.upload({ tenantId: "user_ada", file: "/var/reports/may.pdf" })
   */
  upload(input: UploadInput, options?: CallOptions): Promise<StoredFile>;
  /** Has the service look into storage now, and answers the file as it found it. Safe to repeat. */
  completeUpload(filePath: string, options?: OwnerOptions): Promise<StoredFile>;
  /** The file as it is recorded. */
  file(filePath: string, options?: OwnerOptions): Promise<StoredFile>;
  /** A URL that reads one stored file, for whoever has it. */
  downloadUrl(filePath: string, options?: DownloadUrlOptions): Promise<Download>;
  /**
   * Deletes files, however many. None of them need be there: `notFound` says which were not, after a repeated call also
   * those that the first one deleted.
   */
  deleteFiles(filePaths: string | readonly string[], options?: OwnerOptions): Promise<Deleted>;
  /** Files, newest first; a page is asked for when the one before it has been read. */
  files(options?: FilesOptions): AsyncGenerator<StoredFile, void, undefined>;
  /** Tenants, newest or largest first, page by page. */
  tenants(options?: TenantsOptions): AsyncGenerator<Tenant, void, undefined>;
  /** Of one tenant, or without one of the project. */
  usage(tenantId?: string, options?: CallOptions): Promise<Usage>;
  /** Bytes that a tenant may use; null gives the project's default back. */
  setQuota(tenantId: string, quotaBytes: number | null, options?: CallOptions): Promise<Tenant>;
}

/**
 * @throws {TypeError} when an option is wrong
 * @throws {Error} in a browser, as the module itself does when it is loaded there
 *
 * @example
 * const files = createStowageClient({ apiKey: process.env.STOWAGE_API_KEY, baseUrl: process.env.STOWAGE_URL });
 * for await (const file of files.files({ tenantId: "user_ada" })) console.log(file.filename, file.size);
 */
export function createStowageClient(options: StowageClientOptions): StowageClient {
  // Once more, for a bundler that took the names and left the module's own check out.
  refuseBrowser();
  // The key lives in closures from here on: nothing on the returned object leads to it.
  const { retry, stallTimeoutMs, ...config } = readClientOptions(options);
  const service = createServiceClient({ ...config, fetchOf: byFetch(config.fetch) });

  async function run<T>(work: (signal: AbortSignal) => Promise<T>, given: CallOptions): Promise<T> {
    const signal = given.signal ?? new AbortController().signal;
    try {
      signal.throwIfAborted();
      return await work(signal);
    } catch (thrown) {
      throw explain(thrown, signal);
    }
  }

  const repeat = <Made extends Call>(made: Made, input: CallInput<Made>, given: CallOptions) =>
    run<CallAnswer<Made>>(async (signal) => {
      const call = () => service.call(made, input, { stop: signal });
      return (await retryCall(call, retry, signal)).body;
    }, given);

  const client: StowageClient = {
    async requestUpload({ tenantId, filename, contentType, size, contentMd5, metadata }, given = {}) {
      const input = {
        tenant_id: tenantId,
        filename,
        content_type: contentType,
        size,
        content_md5: contentMd5,
        metadata,
      };
      return run(
        async (signal) => camelKeys((await service.call(calls.requestUpload, input, { stop: signal })).body),
        given,
      );
    },
    async upload(input, given = {}) {
      return run(
        async (signal) => toFile(await upload({ service, retry, stallTimeoutMs }, input, signal)),
        given,
      );
    },
    async completeUpload(filePath, given = {}) {
      return toFile(await repeat(calls.completeUpload, { file_path: filePath, ...ownerOf(given) }, given));
    },
    async file(filePath, given = {}) {
      return toFile(await repeat(calls.findFile, { file_path: filePath, ...ownerOf(given) }, given));
    },
    async downloadUrl(filePath, given = {}) {
      const { expiresIn, disposition, filename } = given;
      const how = { expires_in: expiresIn, disposition, filename };
      return camelKeys(
        await repeat(calls.createDownload, { file_path: filePath, ...ownerOf(given), ...how }, given),
      );
    },
    async deleteFiles(filePaths, given = {}) {
      const owner = ownerOf(given);
      const paths = [...new Set(typeof filePaths === "string" ? [filePaths] : filePaths)];
      const all: Deleted = { deleted: [], notFound: [] };
      for (let start = 0; start < paths.length; start += limits.deletePaths) {
        const portion = paths.slice(start, start + limits.deletePaths);
        const answer = await repeat(calls.deleteFiles, { file_paths: portion, ...owner }, given);
        all.deleted.push(...answer.deleted);
        all.notFound.push(...answer.not_found);
      }
      return all;
    },
    async *files({ pageSize, status, q, ...given } = {}) {
      const asked = { ...ownerOf(given), status, q, limit: pageSize ?? limits.maxPageSize };
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await repeat(calls.listFiles, { ...asked, cursor }, given);
        for (const file of page.files) yield toFile(file);
        cursor = page.next_cursor;
      }
    },
    async *tenants({ pageSize, q, sort, ...given } = {}) {
      for (let cursor: string | null | undefined; cursor !== null;) {
        const limit = pageSize ?? limits.maxPageSize;
        const page = await repeat(calls.listTenants, { q, sort, limit, cursor }, given);
        for (const tenant of page.tenants) yield toTenant(tenant);
        cursor = page.next_cursor;
      }
    },
    async usage(tenantId, given = {}) {
      return camelKeys(await repeat(calls.readUsage, { tenant_id: tenantId }, given));
    },
    async setQuota(tenantId, quotaBytes, given = {}) {
      return toTenant(await repeat(calls.setQuota, { tenant_id: tenantId, quota_bytes: quotaBytes }, given));
    },
  };
  return client;
}

/**
 * A tenant that is named but not there is a session that was not checked, and must not open every tenant's files.
 *
 * @throws {StowageError} `tenant_id_required`
 */
function ownerOf(options: OwnerOptions): { tenant_id?: string } {
  if (!("tenantId" in options)) return {};
  if (options.tenantId === undefined || options.tenantId === null) {
    throw keepServerSide(new StowageError("tenant_id_required"));
  }
  return { tenant_id: options.tenantId };
}
