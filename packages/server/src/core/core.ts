import {
  browserCompleteRequest,
  browserUploadRequest,
  parse,
  type BrowserCancelRequest,
  type BrowserCompleteBatch,
  type BrowserCompleteBatchResponse,
  type BrowserCompleteRequest,
  type BrowserCompleteResponse,
  type BrowserDeleteRequest,
  type BrowserDiscardRequest,
  type BrowserDownloadRequest,
  type BrowserDownloadResponse,
  type BrowserListPartsQuery,
  type BrowserListPartsResponse,
  type BrowserListQuery,
  type BrowserListResponse,
  type BrowserOpenQuery,
  type BrowserOpenResponse,
  type BrowserRequestBatch,
  type BrowserRequestBatchResponse,
  type BrowserRequestResponse,
  type BrowserRoutesResponse,
  type BrowserSignPartsRequest,
  type BrowserSignPartsResponse,
  type BrowserUploadRequest,
  type BrowserUsageResponse,
} from "@stowage/schemas";
import type { Config } from "../config.js";
import { browserRetryDelayMs } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import { runBatch } from "./batch.js";
import { cancelUpload } from "./cancel-upload.js";
import { completeUpload } from "./complete-upload.js";
import { createDownload } from "./create-download.js";
import { deleteFile } from "./delete-file.js";
import { discardUploads } from "./discard-uploads.js";
import type { Caller } from "./identify-caller.js";
import { listFiles } from "./list-files.js";
import { listOpenUploads } from "./list-open-uploads.js";
import { readUsage } from "./read-usage.js";
import { requestUpload } from "./request-upload.js";
import { listParts, signParts } from "./upload-parts.js";

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
  deleteFile(caller: Caller, input: BrowserDeleteRequest): Promise<Record<string, never>>;
  listFiles(caller: Caller, query: BrowserListQuery): Promise<BrowserListResponse>;
  createDownload(caller: Caller, input: BrowserDownloadRequest): Promise<BrowserDownloadResponse>;
  readUsage(caller: Caller): Promise<BrowserUsageResponse>;
  describeRoutes(): BrowserRoutesResponse;
}

export function createCore(config: Config, service: ServiceClient): Core {
  const deps = { ...config, service, retryDelayMs: browserRetryDelayMs };
  return {
    requestUpload: (caller, input) => requestUpload(deps, caller, input),
    requestBatch: (caller, { files }) =>
      runBatch(deps, caller, files, async (file) =>
        requestUpload(deps, caller, parse(browserUploadRequest, file)),
      ),
    signParts: (caller, input) => signParts(deps, caller, input),
    listParts: (caller, query) => listParts(deps, caller, query),
    listOpenUploads: (caller, query) => listOpenUploads(deps, caller, query),
    completeUpload: (caller, input) => completeUpload(deps, caller, input),
    completeBatch: (caller, { files }) =>
      runBatch(deps, caller, files, async (file) =>
        completeUpload(deps, caller, parse(browserCompleteRequest, file)),
      ),
    cancelUpload: (caller, input) => cancelUpload(deps, caller, input),
    discardUploads: (caller, input) => discardUploads(deps, caller, input),
    deleteFile: (caller, input) => deleteFile(deps, caller, input),
    listFiles: (caller, query) => listFiles(deps, caller, query),
    createDownload: (caller, input) => createDownload(deps, caller, input),
    readUsage: (caller) => readUsage(deps, caller),
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
