import { refuseBrowser } from "./refuse-browser.js";

// On loading, not on the first call: a key that has reached a bundle is to be noticed by whoever made the bundle.
refuseBrowser();

export {
  createStowageClient,
  type CallOptions,
  type DownloadUrlOptions,
  type FilesOptions,
  type OwnerOptions,
  type StowageClient,
  type TenantsOptions,
} from "./create-stowage-client.js";
export type { StowageClientOptions } from "./client-options.js";
export type { Deleted, Download, StoredFile, Tenant, UploadTicket, Usage } from "../records.js";
export type { UploadRequest } from "./create-stowage-client.js";
export type { UploadInput } from "./upload.js";
export { StowageError, type ErrorCode } from "@stowage/schemas";
