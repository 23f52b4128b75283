import { refuseBrowser } from "../refuse-browser.js";
import { BROWSER_REFUSAL } from "./create-stowage-client.js";

// Runs when the module is loaded, not on the first call: the author of a bundle should notice immediately that it contains the key.
refuseBrowser(BROWSER_REFUSAL);

export { createStowageClient } from "./create-stowage-client.js";
export { IncompleteUploadError } from "./incomplete-upload-error.js";
export type { StowageClientOptions } from "./client-options.js";
export type {
  CallOptions,
  DeleteOptions,
  DownloadUrlOptions,
  DownloadUrlsOptions,
  ExportOptions,
  FilesOptions,
  FoldersOptions,
  FollowOptions,
  LinkOptions,
  LinksOptions,
  MetersOptions,
  ListUploadsOptions,
  OpenUploadRequest,
  OwnerOptions,
  StowageClient,
  TenantsOptions,
  UploadRequest,
} from "./stowage-client.js";
export type { UploadInput, UploadProgress } from "./upload-input.js";
export type {
  CreatedLink,
  DayUsage,
  Deleted,
  Download,
  Downloads,
  EventPage,
  ExportedFile,
  ExportedLine,
  ExportedLink,
  ExportedTenant,
  Folder,
  MonthUsage,
  FolderJob,
  OpenedUpload,
  OpenUpload,
  RefusedDownload,
  ShareLink,
  SignedPart,
  StoredFile,
  StoredPart,
  Limits,
  Plan,
  Tenant,
  TenantLimits,
  UploadTicket,
  Usage,
} from "../service-api/records.js";
export { StowageError, type ErrorCode } from "@stowage/schemas";
