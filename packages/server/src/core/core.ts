import {
  browserCompleteRequest,
  browserUploadRequest,
  parse,
  type BrowserCancelRequest,
  type BrowserCompleteBatch,
  type BrowserCompleteBatchResponse,
  type BrowserCompleteRequest,
  type BrowserCompleteResponse,
  type BrowserDeleteFolderRequest,
  type BrowserDeleteRequest,
  type BrowserDeleteResponse,
  type BrowserDiscardRequest,
  type BrowserDownloadRequest,
  type BrowserDownloadResponse,
  type BrowserDownloadsRequest,
  type BrowserDownloadsResponse,
  type BrowserFoldersQuery,
  type BrowserFoldersResponse,
  type BrowserJob,
  type BrowserJobQuery,
  type BrowserLinksQuery,
  type BrowserLinksResponse,
  type BrowserListedFile,
  type BrowserListPartsQuery,
  type BrowserListPartsResponse,
  type BrowserListQuery,
  type BrowserListResponse,
  type BrowserMoveFolderRequest,
  type BrowserOpenQuery,
  type BrowserOpenResponse,
  type BrowserRequestBatch,
  type BrowserRequestBatchResponse,
  type BrowserRequestResponse,
  type BrowserRestoreVersionRequest,
  type BrowserRevokeLinkRequest,
  type BrowserRoutesResponse,
  type BrowserShareRequest,
  type BrowserShareResponse,
  type BrowserSignPartsRequest,
  type BrowserSignPartsResponse,
  type BrowserStartedJob,
  type BrowserUpdateRequest,
  type BrowserUploadRequest,
  type BrowserUsageResponse,
  type BrowserVersionsQuery,
  type BrowserVersionsResponse,
} from "@stowage/schemas";
import type { Config } from "../config.js";
import { browserRetryDelayMs } from "../service-api/retry.js";
import { type ServiceClient, withHeaders } from "../service-api/service-client.js";
import { traceHeadersOf } from "../service-api/trace-context.js";
import { runBatch } from "./batch.js";
import { cancelUpload } from "./cancel-upload.js";
import { completeUpload } from "./complete-upload.js";
import { createDownload, createDownloads } from "./create-download.js";
import { deleteFile } from "./delete-file.js";
import { discardUploads } from "./discard-uploads.js";
import { deleteFolder, moveFolder, readJob } from "./folder-jobs.js";
import type { Caller } from "./identify-caller.js";
import { listFiles } from "./list-files.js";
import { listFolders } from "./list-folders.js";
import { listOpenUploads } from "./list-open-uploads.js";
import { readUsage } from "./read-usage.js";
import { requestUpload } from "./request-upload.js";
import { restoreFile } from "./restore-file.js";
import { listLinks, revokeLink, shareFile } from "./share-file.js";
import { updateFile } from "./update-file.js";
import { listParts, signParts } from "./upload-parts.js";
import { listVersions, restoreVersion } from "./versions.js";

/** The helper's operations. The Web handler and the tRPC router are thin transports over them. */
export interface Core {
  requestUpload(caller: Caller, input: BrowserUploadRequest): Promise<BrowserRequestResponse>;
  requestBatch(caller: Caller, input: BrowserRequestBatch): Promise<BrowserRequestBatchResponse>;
  signParts(caller: Caller, input: BrowserSignPartsRequest): Promise<BrowserSignPartsResponse>;
  listParts(caller: Caller, query: BrowserListPartsQuery): Promise<BrowserListPartsResponse>;
  listOpenUploads(caller: Caller, query: BrowserOpenQuery): Promise<BrowserOpenResponse>;
  completeUpload(caller: Caller, input: BrowserCompleteRequest): Promise<BrowserCompleteResponse>;
  completeBatch(caller: Caller, input: BrowserCompleteBatch): Promise<BrowserCompleteBatchResponse>;
  cancelUpload(caller: Caller, input: BrowserCancelRequest): Promise<Record<string, never>>;
  discardUploads(caller: Caller, input: BrowserDiscardRequest): Promise<Record<string, never>>;
  deleteFile(caller: Caller, input: BrowserDeleteRequest): Promise<BrowserDeleteResponse>;
  restoreFile(caller: Caller, input: BrowserDeleteRequest): Promise<Record<string, never>>;
  updateFile(caller: Caller, input: BrowserUpdateRequest): Promise<BrowserListedFile>;
  listFolders(caller: Caller, query: BrowserFoldersQuery): Promise<BrowserFoldersResponse>;
  moveFolder(caller: Caller, input: BrowserMoveFolderRequest): Promise<BrowserStartedJob>;
  deleteFolder(caller: Caller, input: BrowserDeleteFolderRequest): Promise<BrowserStartedJob>;
  readJob(caller: Caller, query: BrowserJobQuery): Promise<BrowserJob>;
  listFiles(caller: Caller, query: BrowserListQuery): Promise<BrowserListResponse>;
  createDownload(caller: Caller, input: BrowserDownloadRequest): Promise<BrowserDownloadResponse>;
  createDownloads(caller: Caller, input: BrowserDownloadsRequest): Promise<BrowserDownloadsResponse>;
  shareFile(caller: Caller, input: BrowserShareRequest): Promise<BrowserShareResponse>;
  listLinks(caller: Caller, query: BrowserLinksQuery): Promise<BrowserLinksResponse>;
  revokeLink(caller: Caller, input: BrowserRevokeLinkRequest): Promise<Record<string, never>>;
  listVersions(caller: Caller, query: BrowserVersionsQuery): Promise<BrowserVersionsResponse>;
  restoreVersion(caller: Caller, input: BrowserRestoreVersionRequest): Promise<BrowserListedFile>;
  readUsage(caller: Caller): Promise<BrowserUsageResponse>;
  describeRoutes(): BrowserRoutesResponse;
}

export function createCore(config: Config, service: ServiceClient): Core {
  const deps = { ...config, service, retryDelayMs: browserRetryDelayMs };
  /** The calls of the service for a caller belong to the trace of the caller's request. */
  const depsOf = ({ request }: Caller) => ({
    ...deps,
    service: withHeaders(service, traceHeadersOf(request)),
  });
  return {
    requestUpload: (caller, input) => requestUpload(depsOf(caller), caller, input),
    requestBatch: (caller, { files }) =>
      runBatch(deps, caller, files, async (file) =>
        requestUpload(depsOf(caller), caller, parse(browserUploadRequest, file)),
      ),
    signParts: (caller, input) => signParts(depsOf(caller), caller, input),
    listParts: (caller, query) => listParts(depsOf(caller), caller, query),
    listOpenUploads: (caller, query) => listOpenUploads(depsOf(caller), caller, query),
    completeUpload: (caller, input) => completeUpload(depsOf(caller), caller, input),
    completeBatch: (caller, { files }) =>
      runBatch(deps, caller, files, async (file) =>
        completeUpload(depsOf(caller), caller, parse(browserCompleteRequest, file)),
      ),
    cancelUpload: (caller, input) => cancelUpload(depsOf(caller), caller, input),
    discardUploads: (caller, input) => discardUploads(depsOf(caller), caller, input),
    deleteFile: (caller, input) => deleteFile(depsOf(caller), caller, input),
    restoreFile: (caller, input) => restoreFile(depsOf(caller), caller, input),
    updateFile: (caller, input) => updateFile(depsOf(caller), caller, input),
    listFolders: (caller, query) => listFolders(depsOf(caller), caller, query),
    moveFolder: (caller, input) => moveFolder(depsOf(caller), caller, input),
    deleteFolder: (caller, input) => deleteFolder(depsOf(caller), caller, input),
    readJob: (caller, query) => readJob(depsOf(caller), caller, query),
    listFiles: (caller, query) => listFiles(depsOf(caller), caller, query),
    createDownload: (caller, input) => createDownload(depsOf(caller), caller, input),
    createDownloads: (caller, input) => createDownloads(depsOf(caller), caller, input),
    shareFile: (caller, input) => shareFile(depsOf(caller), caller, input),
    listLinks: (caller, query) => listLinks(depsOf(caller), caller, query),
    revokeLink: (caller, input) => revokeLink(depsOf(caller), caller, input),
    listVersions: (caller, query) => listVersions(depsOf(caller), caller, query),
    restoreVersion: (caller, input) => restoreVersion(depsOf(caller), caller, input),
    readUsage: (caller) => readUsage(depsOf(caller), caller),
    describeRoutes: () => describeRoutes(deps),
  };
}

/** Tells the widget the limits of each route, so that it can show them before an upload. */
function describeRoutes({ routes }: Pick<Config, "routes">): BrowserRoutesResponse {
  const described: BrowserRoutesResponse["routes"] = {};
  for (const [name, { rules }] of routes ?? []) {
    described[name] = {
      accept: rules.accept,
      max_size: rules.maxSize,
      min_size: rules.minSize,
      max_files: rules.maxFiles,
    };
  }
  return { routes: described };
}
