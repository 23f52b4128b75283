import type { FileStatus, Visibility } from "@stowage/schemas";

/** A tenant's counters as they are recorded, or as they should be. */
export interface Counters {
  usedBytes: number;
  reservedBytes: number;
  fileCount: number;
}

/** How many folders of a tenant have files, and the files that count in them. A file counts once in each folder above it. */
export interface FolderSums {
  folders: number;
  files: number;
  bytes: number;
}

/**
 * A tenant whose counters (`counters`), daily usage (`days`) or counters of folders (`folders`) differ from the sums over its files. The sums
 * of its folders may agree although single folders differ.
 */
export type TenantDrift = { projectRef: string; tenantId: string } & (
  | { kind: "counters"; recorded: Counters; actual: Counters }
  | { kind: "days"; recorded: Omit<Counters, "reservedBytes">; actual: Omit<Counters, "reservedBytes"> }
  | { kind: "folders"; recorded: FolderSums; actual: FolderSums }
);

/**
 * A path where the database and the bucket disagree:
 * - `missing`: a stored file without an object
 * - `size`: a stored file whose object has another size
 * - `bytes`: a stored file whose object has the same size and another ETag, so that other bytes have replaced it
 * - `unsettled`: an object of an upload that was not counted
 * - `orphan`: an object without a row
 * - `misplaced`: a file whose object is in the other bucket than the recorded one, or also there
 * - `missing_variant`: an image variant that is ready, without its object
 */
export type FileDrift = { projectRef: string; path: string } & (
  | { kind: "missing"; recordedBytes: number }
  | { kind: "missing_variant"; recordedBytes: number }
  | { kind: "misplaced"; found: Visibility }
  | { kind: "size"; recordedBytes: number; foundBytes: number }
  | { kind: "bytes"; recordedBytes: number }
  | { kind: "unsettled"; status: FileStatus; foundBytes: number }
  | { kind: "orphan"; place: Visibility; foundBytes: number; lastModified: Date; isProjectKnown: boolean }
);

/**
 * A multipart upload that only one side knows:
 * - `unknown_upload`: storage has its parts, but no file has its ID
 * - `lost_upload`: a file that waits for parts has its ID, but storage does not know it
 */
export type UploadDrift = { projectRef: string; path: string; uploadId: string } & (
  { kind: "unknown_upload"; startedAt: Date; isProjectKnown: boolean } | { kind: "lost_upload" }
);

/**
 * After a restore: a file that the service would delete at `endsAt`, which is over or almost over. Its hold, or its way out of the trash,
 * may be what the restored database lacks.
 */
export interface EndDrift {
  kind: "ending";
  projectRef: string;
  path: string;
  endsAt: Date;
}

export type Drift = TenantDrift | FileDrift | UploadDrift | EndDrift;
