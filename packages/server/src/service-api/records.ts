import {
  camelKeys,
  type CamelKeys,
  type CreateLinkResponse,
  type DeleteResponse,
  type DailyMeters,
  type DownloadResponse,
  type DownloadsResponse,
  type ExportLine,
  type File,
  type Job,
  type FollowedEvent,
  type ListFoldersResponse,
  type Link,
  type MonthlyMeters,
  type OpenUpload as WireOpenUpload,
  type OpenUploadResponse,
  type Plan as WirePlan,
  type SignedPart as WireSignedPart,
  type StoredPart as WireStoredPart,
  type Tenant as WireTenant,
  type UploadResponse,
  type UsageResponse,
} from "@stowage/schemas";
import type { WebhookEvent } from "../webhooks/webhook-event.js";

/** A file as the service recorded it: `filePath`, `tenantId`, `size` in bytes, `status`, `createdAt`, … */
export interface StoredFile extends CamelKeys<File> {}
/** A file whose bytes the service has found in storage. */
export interface CompletedFile extends StoredFile {
  /** Bytes. */
  size: number;
  status: "stored";
  /** RFC 3339, UTC. */
  storedAt: string;
}
/** A folder with its whole name: `folder`, `fileCount`, `usedBytes`. */
export interface Folder extends CamelKeys<ListFoldersResponse["folders"][number]> {}
/** How far a job is: `jobId`, `kind`, `state`, `total`, `done`, `kept`, … */
export interface FolderJob extends CamelKeys<Job> {}
/** A tenant: `tenantId`, `usedBytes`, `quotaBytes`, … */
export interface Tenant extends CamelKeys<WireTenant> {}
/** A plan: `name`, and its limits; null for those that it does not set. */
export interface Plan extends CamelKeys<WirePlan> {}
/** Limits to set. `null` takes one away. */
export interface Limits {
  /** Bytes. */
  quotaBytes?: number | null;
  /** Stored files, those in the trash, and open uploads. */
  maxFiles?: number | null;
  maxOpenUploads?: number | null;
  uploadsPerMinute?: number | null;
}
/** Limits of a tenant to set, and its plan. */
export interface TenantLimits extends Limits {
  /** The name of a plan of the project; null for none. */
  plan?: string | null;
}
/** Permission to PUT one file to `presignedUrl`, with exactly the ticket's `headers`, before `expiresAt`. */
export interface UploadTicket extends CamelKeys<UploadResponse> {}
/** An upload by parts, as it was opened: `filePath`, `partSize` in bytes, `partCount`, `expiresAt`, … */
export interface OpenedUpload extends CamelKeys<OpenUploadResponse> {}
/** An upload by parts that is not complete: a file with `declaredSize`, `partSize`, `partsStored`, `bytesStored`, `expiresAt`, … */
export interface OpenUpload extends CamelKeys<WireOpenUpload> {}
/** Permission to PUT one part to `presignedUrl`, with exactly these `headers` and `size` bytes, before `expiresAt`. */
export interface SignedPart extends CamelKeys<WireSignedPart> {}
/** A part in storage: `number`, `size` in bytes, `etag`. */
export interface StoredPart extends CamelKeys<WireStoredPart> {}
/** A URL that reads one file until `expiresAt`. */
export interface Download extends CamelKeys<DownloadResponse> {}
/** A file without a URL from `downloadUrls`, and the reason, such as `file_not_scanned`. */
export interface RefusedDownload extends CamelKeys<NonNullable<DownloadsResponse["refused"]>[number]> {}
/** The result of `downloadUrls`. Every given path is in one of the lists, in the order in which they were given. */
export interface Downloads {
  downloads: Download[];
  notFound: string[];
  refused: RefusedDownload[];
}
/** A share link: `linkId`, `filePath`, `expiresAt`, `maxDownloads`, `downloads`, `hasPassword`, … */
export interface ShareLink extends CamelKeys<Link> {}
/** A new share link with its `url`, which no other call returns. */
export interface CreatedLink extends CamelKeys<CreateLinkResponse> {}
/** Bytes and number of files of one tenant, or of the whole project. */
export interface Usage extends CamelKeys<UsageResponse> {}
/** What was used on one `day`: `byteSeconds`, `peakBytes`, `fileCount`, `uploads`, `downloadsSigned`, `bytesSigned`, `bytesDelivered`. */
export interface DayUsage extends CamelKeys<DailyMeters> {}
/** What was used in one `month`. */
export interface MonthUsage extends CamelKeys<MonthlyMeters> {}
/** The result of a deletion. Every given path is in exactly one of the lists. */
export interface Deleted extends CamelKeys<DeleteResponse> {}

/** Events of the project, and the cursor after which the next ones follow: store it when you have processed them. */
export interface EventPage {
  events: WebhookEvent[];
  nextCursor: string;
}

/** What an export tells of the tenant itself: `type: "tenant"`, and the members of {@link Tenant}. */
export interface ExportedTenant extends CamelKeys<Extract<ExportLine, { type: "tenant" }>> {}
/**
 * What an export tells of one file: `type: "file"`, the members of {@link StoredFile}, `presignedUrl`, which reads the file until
 * `urlExpiresAt` or is null, and `cursor`, after which another export can continue.
 */
export interface ExportedFile extends CamelKeys<Extract<ExportLine, { type: "file" }>> {}
/** What an export tells of one share link: `type: "link"`, the members of {@link ShareLink}, and `cursor`. */
export interface ExportedLink extends CamelKeys<Extract<ExportLine, { type: "link" }>> {}
/** What an export yields. */
export type ExportedLine = ExportedTenant | ExportedFile | ExportedLink;

export const toFile = (wire: File): StoredFile => camelKeys(wire);
/** The service checked its event. `data` is in camelCase, as a webhook's. */
export const toEvent = ({ data, ...event }: FollowedEvent): WebhookEvent =>
  ({ ...event, data: camelKeys(data) }) as WebhookEvent;
export const toPlan = (wire: WirePlan): Plan => camelKeys(wire);
export const toTenant = (wire: WireTenant): Tenant => camelKeys(wire);
