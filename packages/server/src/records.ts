import {
  camelKeys,
  type CamelKeys,
  type DeleteResponse,
  type DownloadResponse,
  type File,
  type Tenant as WireTenant,
  type UploadResponse,
  type UsageResponse,
} from "@stowage/schemas";

/** A file as the service has recorded it: `filePath`, `tenantId`, `size` in bytes, `status`, `createdAt`, … */
export interface StoredFile extends CamelKeys<File> {}
/** A tenant: `tenantId`, `usedBytes`, `quotaBytes`, … */
export interface Tenant extends CamelKeys<WireTenant> {}
/** Leave to PUT one file: `presignedUrl`, with exactly the `headers` of the ticket, before `expiresAt`. */
export interface UploadTicket extends CamelKeys<UploadResponse> {}
/** A URL that reads one file until `expiresAt`. */
export interface Download extends CamelKeys<DownloadResponse> {}
/** Bytes and files of one tenant, or of the project. */
export interface Usage extends CamelKeys<UsageResponse> {}
/** Every path that was given is in one of the two. */
export interface Deleted extends CamelKeys<DeleteResponse> {}

export const toFile = (wire: File): StoredFile => camelKeys(wire);
export const toTenant = (wire: WireTenant): Tenant => camelKeys(wire);
