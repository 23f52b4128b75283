import { openUpload, operations, restoredFiles, signedPart, storedPart } from "@stowage/schemas";
import type * as z from "zod";
import { type Json, type OpenApiVersion, schemasOf } from "./json-schema.js";

/** Names of bodies. Generators name the types of a client by them. */
const requests = {
  UploadRequest: operations.requestUpload.body,
  OpenUploadRequest: operations.openUpload.body,
  SignPartsRequest: operations.signParts.body,
  CompleteRequest: operations.completeUpload.body,
  CancelRequest: operations.cancelUpload.body,
  DownloadRequest: operations.createDownload.body,
  DownloadsRequest: operations.createDownloads.body,
  ScanResultRequest: operations.reportScan.body,
  DeleteRequest: operations.deleteFiles.body,
  RestoreRequest: operations.restoreFiles.body,
  HoldRequest: operations.holdFile.body,
  VisibilityRequest: operations.setVisibility.body,
  SetQuotaRequest: operations.setQuota.body,
  DeleteTenantRequest: operations.deleteTenant.body,
};

/** Names of answers and of their parts. */
const answers = {
  Upload: operations.requestUpload.answer,
  OpenedUpload: operations.openUpload.answer,
  SignedPart: signedPart,
  SignedPartList: operations.signParts.answer,
  StoredPart: storedPart,
  StoredPartList: operations.listParts.answer,
  OpenUpload: openUpload,
  OpenUploadList: operations.listUploads.answer,
  File: operations.completeUpload.answer,
  CancelledUpload: operations.cancelUpload.answer,
  Download: operations.createDownload.answer,
  DownloadList: operations.createDownloads.answer,
  DeletedFiles: operations.deleteFiles.answer,
  RestoredFiles: restoredFiles,
  RestoreAnswer: operations.restoreFiles.answer,
  FileList: operations.listFiles.answer,
  Tenant: operations.setQuota.answer,
  TenantList: operations.listTenants.answer,
  Usage: operations.readUsage.answer,
  DeletedTenant: operations.deleteTenant.answer,
  ExportLine: operations.exportTenant.answer,
  Liveness: operations.checkAlive.answer,
  Readiness: operations.checkReady.answer,
  ServiceDescription: operations.describeService.answer,
  OpenApiDocument: operations.describe.answer,
};

const names = new Map<z.ZodType, string>(
  Object.entries<z.ZodType>({ ...requests, ...answers }).map(([name, schema]) => [schema, name]),
);

export function describeNamedSchemas(version: OpenApiVersion): Record<string, Json> {
  return { ...schemasOf(requests, "input", version), ...schemasOf(answers, "output", version) };
}

/** @throws {Error} if the body or the answer of a call has no name above */
export function referenceTo(schema: z.ZodType): Json {
  const name = names.get(schema);
  if (name === undefined) throw new Error("a body or an answer of the REST API has no name in the document");
  return { $ref: `#/components/schemas/${name}` };
}
