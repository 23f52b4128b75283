import type { FileStatus, ScanStatus, Visibility } from "@stowage/schemas";
import { type FileImage, files, tenants } from "#db/schema/index.js";
import type { ObjectStore, PublicBucket } from "#object-store/object-store.js";

/** A file as the verbs return it: the API's `File` in camelCase. */
export interface FileRecord {
  filePath: string;
  tenantId: string;
  filename: string;
  contentType: string;
  size: number | null;
  status: FileStatus;
  etag: string | null;
  metadata: Record<string, string>;
  /** Empty for the root. */
  folder: string;
  createdAt: string;
  storedAt: string | null;
  /** When the file is deleted by itself. */
  expiresAt?: string;
  /** When a file in the trash is removed from it. */
  purgeAt?: string;
  /** The path of the file that replaced this one, which is in the trash. */
  replacedBy?: string;
  hold?: true;
  visibility?: "public";
  /** Only while everyone can read the file there. */
  publicUrl?: string;
  image?: { width: number; height: number; placeholder: string };
  scanStatus: ScanStatus;
}

/** The columns of a {@link FileRecord}, for a select from `files` joined with its tenant. */
export const fileColumns = {
  filePath: files.path,
  tenantId: tenants.tenantId,
  filename: files.filename,
  contentType: files.contentType,
  size: files.size,
  status: files.status,
  etag: files.etag,
  metadata: files.metadata,
  folder: files.folder,
  createdAt: files.createdAt,
  storedAt: files.storedAt,
  expiresAt: files.expiresAt,
  purgeAt: files.purgeAt,
  replacedBy: files.replacedBy,
  held: files.held,
  visibility: files.visibility,
  place: files.place,
  hasOtherCopy: files.hasOtherCopy,
  image: files.image,
  scanStatus: files.scanStatus,
};

type Selected = Omit<
  FileRecord,
  | "createdAt"
  | "storedAt"
  | "expiresAt"
  | "purgeAt"
  | "replacedBy"
  | "hold"
  | "visibility"
  | "publicUrl"
  | "image"
> & {
  createdAt: Date;
  storedAt: Date | null;
  expiresAt: Date | null;
  purgeAt: Date | null;
  replacedBy: string | null;
  held: boolean;
  visibility: Visibility;
  place: Visibility;
  hasOtherCopy: boolean;
  image: FileImage | null;
};

/**
 * Names each member, so that no other column of a row reaches the API.
 *
 * @param store knows the URLs of public files. Null: the record gets none
 */
export function toFileRecord(row: Selected, store: Pick<ObjectStore, "published"> | null): FileRecord {
  return {
    filePath: row.filePath,
    tenantId: row.tenantId,
    filename: row.filename,
    contentType: row.contentType,
    size: row.size,
    status: row.status,
    etag: row.etag,
    metadata: row.metadata,
    folder: row.folder,
    createdAt: row.createdAt.toISOString(),
    storedAt: row.storedAt?.toISOString() ?? null,
    ...(row.expiresAt && { expiresAt: row.expiresAt.toISOString() }),
    ...(row.purgeAt && { purgeAt: row.purgeAt.toISOString() }),
    ...(row.purgeAt && row.replacedBy && { replacedBy: row.replacedBy }),
    ...(row.held && { hold: true }),
    ...visibilityOf(row, store?.published ?? null),
    ...imageOf(row),
    scanStatus: row.scanStatus,
  };
}

/** A file that was public is private for the API when strangers cannot read it any more. */
export function visibilityOf(
  {
    filePath,
    visibility,
    place,
    hasOtherCopy,
    status,
    scanStatus,
  }: Pick<Selected, "filePath" | "visibility" | "place" | "hasOtherCopy" | "status" | "scanStatus">,
  published: PublicBucket | null,
): Pick<FileRecord, "visibility" | "publicUrl"> {
  const mayBePublic = place === "public" || hasOtherCopy;
  if (visibility === "private") return mayBePublic ? { visibility: "public" } : {};
  // A file that a scan found is being taken back.
  const isShown = place === "public" && status === "stored" && ["none", "clean"].includes(scanStatus);
  const publicUrl = isShown ? published?.urlOf(filePath) : undefined;
  return { visibility: "public", ...(publicUrl !== undefined && { publicUrl }) };
}

/** What is known about the image. Nothing, if the file has other bytes by now. */
function imageOf(row: Selected): Pick<FileRecord, "image"> {
  if (!row.image || row.image.etag !== row.etag) return {};
  const { width, height, placeholder } = row.image;
  return { image: { width, height, placeholder } };
}
