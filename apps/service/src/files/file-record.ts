import type { FileStatus, ScanStatus } from "@stowage/schemas";
import { files, tenants } from "#db/schema/index.js";

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
  createdAt: string;
  storedAt: string | null;
  /** When the file is deleted by itself. */
  expiresAt?: string;
  /** When a file in the trash is removed from it. */
  purgeAt?: string;
  hold?: true;
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
  createdAt: files.createdAt,
  storedAt: files.storedAt,
  expiresAt: files.expiresAt,
  purgeAt: files.purgeAt,
  held: files.held,
  scanStatus: files.scanStatus,
};

type Selected = Omit<FileRecord, "createdAt" | "storedAt" | "expiresAt" | "purgeAt" | "hold"> & {
  createdAt: Date;
  storedAt: Date | null;
  expiresAt: Date | null;
  purgeAt: Date | null;
  held: boolean;
};

/** Names each member, so that no other column of a row reaches the API. */
export function toFileRecord(row: Selected): FileRecord {
  return {
    filePath: row.filePath,
    tenantId: row.tenantId,
    filename: row.filename,
    contentType: row.contentType,
    size: row.size,
    status: row.status,
    etag: row.etag,
    metadata: row.metadata,
    createdAt: row.createdAt.toISOString(),
    storedAt: row.storedAt?.toISOString() ?? null,
    ...(row.expiresAt && { expiresAt: row.expiresAt.toISOString() }),
    ...(row.purgeAt && { purgeAt: row.purgeAt.toISOString() }),
    ...(row.held && { hold: true }),
    scanStatus: row.scanStatus,
  };
}
