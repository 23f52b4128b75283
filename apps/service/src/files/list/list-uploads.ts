import type { ListUploadsQuery } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { type FileRecord, toFileRecord } from "#files/record/file-record.js";
import { listNewestFiles } from "./list-files.js";
import type { FileInList } from "./read-files.js";
import type { Project } from "#projects/find-project.js";
import { partSizesOf } from "#files/parts/upload-of-parts.js";

/** An upload by parts that is not complete. */
export interface OpenUploadRecord extends FileRecord {
  declaredSize: number;
  partSize: number;
  partCount: number;
  /** What the service found in storage when it last looked. */
  partsStored: number;
  bytesStored: number;
  expiresAt: string;
  fingerprint: string | null;
}

export interface UploadsPage {
  uploads: OpenUploadRecord[];
  nextCursor: string | null;
}

/**
 * One page of a tenant's open uploads by parts, newest first. Storage is not asked. Single PUTs of the tenant are read and left out,
 * so a page may be short and still not be the last one.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this list did not make; `unavailable`
 */
export async function listUploads(
  deps: { db: Queries },
  project: Project,
  { tenantId, limit, cursor }: ListUploadsQuery,
): Promise<UploadsPage> {
  const filter = { projectId: project.id, tenantId, statuses: ["pending" as const], isByParts: true };
  const { rows, nextCursor } = await listNewestFiles(deps, "uploads", filter, { limit, cursor });
  return { uploads: rows.flatMap(({ file }) => toOpenUpload(file) ?? []), nextCursor };
}

function toOpenUpload(file: FileInList["file"]): OpenUploadRecord | null {
  const sizes = partSizesOf(file);
  return (
    sizes && {
      ...toFileRecord(file, null),
      declaredSize: sizes.sizeBytes,
      partSize: sizes.partSizeBytes,
      partCount: sizes.partCount,
      partsStored: file.multipart?.partsStored ?? 0,
      bytesStored: file.multipart?.bytesStored ?? 0,
      expiresAt: file.urlExpiresAt.toISOString(),
      fingerprint: file.multipart?.fingerprint ?? null,
    }
  );
}
