import type * as z from "zod";
import { cancelRequest, cancelResponse } from "./cancel.js";
import { deleteRequest, deleteResponse } from "./delete.js";
import { downloadRequest, downloadResponse, downloadsRequest, downloadsResponse } from "./download.js";
import { completeRequest, file, findFileQuery, listFilesQuery, listFilesResponse } from "./file.js";
import {
  deleteTenantRequest,
  deleteTenantResponse,
  exportLine,
  exportTenantQuery,
  holdRequest,
  restoreRequest,
  restoreResponse,
  visibilityRequest,
} from "./lifecycle.js";
import {
  listPartsQuery,
  listPartsResponse,
  listUploadsQuery,
  listUploadsResponse,
  openUploadRequest,
  openUploadResponse,
  signPartsRequest,
  signPartsResponse,
} from "./multipart.js";
import { scanResultRequest } from "./scan.js";
import {
  listTenantsQuery,
  listTenantsResponse,
  setQuotaRequest,
  tenant,
  usageQuery,
  usageResponse,
} from "./tenant.js";
import { uploadHeaders, uploadRequest, uploadResponse } from "./upload.js";

/** One call of the service's REST API: its path and the schemas of its request and answer. */
export interface Call {
  method: "GET" | "POST" | "PUT";
  path: string;
  body?: z.ZodType;
  query?: z.ZodType;
  /** Optional headers, with names in lower case. */
  headers?: z.ZodType;
  answer: z.ZodType;
  /** The answer is a stream of such JSON values, one a line (https://github.com/ndjson/ndjson-spec). @default one JSON value */
  isStream?: true;
}

/*
 * Separate exports instead of one table, so that a bundle contains only the schemas of the calls that it makes.
 * `operations` describes the calls.
 */

export const requestUpload = {
  method: "POST",
  path: "/api/storage/upload/",
  body: uploadRequest,
  headers: uploadHeaders,
  answer: uploadResponse,
} as const satisfies Call;

export const completeUpload = {
  method: "POST",
  path: "/api/storage/complete/",
  body: completeRequest,
  answer: file,
} as const satisfies Call;

export const cancelUpload = {
  method: "POST",
  path: "/api/storage/cancel/",
  body: cancelRequest,
  answer: cancelResponse,
} as const satisfies Call;

export const openUpload = {
  method: "POST",
  path: "/api/storage/uploads/",
  body: openUploadRequest,
  headers: uploadHeaders,
  answer: openUploadResponse,
} as const satisfies Call;

export const signParts = {
  method: "POST",
  path: "/api/storage/uploads/parts/",
  body: signPartsRequest,
  answer: signPartsResponse,
} as const satisfies Call;

export const listParts = {
  method: "GET",
  path: "/api/storage/uploads/parts/",
  query: listPartsQuery,
  answer: listPartsResponse,
} as const satisfies Call;

export const listUploads = {
  method: "GET",
  path: "/api/storage/uploads/",
  query: listUploadsQuery,
  answer: listUploadsResponse,
} as const satisfies Call;

export const createDownload = {
  method: "POST",
  path: "/api/storage/download/",
  body: downloadRequest,
  answer: downloadResponse,
} as const satisfies Call;

export const createDownloads = {
  method: "POST",
  path: "/api/storage/downloads/",
  body: downloadsRequest,
  answer: downloadsResponse,
} as const satisfies Call;

export const deleteFiles = {
  method: "POST",
  path: "/api/storage/delete/",
  body: deleteRequest,
  answer: deleteResponse,
} as const satisfies Call;

export const reportScan = {
  method: "POST",
  path: "/api/storage/scan-result/",
  body: scanResultRequest,
  answer: file,
} as const satisfies Call;

export const findFile = {
  method: "GET",
  path: "/api/storage/file/",
  query: findFileQuery,
  answer: file,
} as const satisfies Call;

export const listFiles = {
  method: "GET",
  path: "/api/storage/files/",
  query: listFilesQuery,
  answer: listFilesResponse,
} as const satisfies Call;

export const listTenants = {
  method: "GET",
  path: "/api/storage/tenants/",
  query: listTenantsQuery,
  answer: listTenantsResponse,
} as const satisfies Call;

export const readUsage = {
  method: "GET",
  path: "/api/storage/usage/",
  query: usageQuery,
  answer: usageResponse,
} as const satisfies Call;

export const setQuota = {
  method: "PUT",
  path: "/api/storage/quota/",
  body: setQuotaRequest,
  answer: tenant,
} as const satisfies Call;

export const restoreFiles = {
  method: "POST",
  path: "/api/storage/restore/",
  body: restoreRequest,
  answer: restoreResponse,
} as const satisfies Call;

export const holdFile = {
  method: "POST",
  path: "/api/storage/hold/",
  body: holdRequest,
  answer: file,
} as const satisfies Call;

export const setVisibility = {
  method: "POST",
  path: "/api/storage/visibility/",
  body: visibilityRequest,
  answer: file,
} as const satisfies Call;

export const deleteTenant = {
  method: "POST",
  path: "/api/storage/tenants/delete/",
  body: deleteTenantRequest,
  answer: deleteTenantResponse,
} as const satisfies Call;

export const exportTenant = {
  method: "GET",
  path: "/api/storage/tenants/export/",
  query: exportTenantQuery,
  answer: exportLine,
  isStream: true,
} as const satisfies Call;
