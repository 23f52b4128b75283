import { fileStatuses, type ListFilesQuery } from "@stowage/schemas";
import type { Database } from "#db/client.js";
import type { Project } from "#projects/find-project.js";
import { readCursor, writeCursor } from "#lib/cursor.js";
import { type FileRecord, toFileRecord } from "#files/file-record.js";
import { type FilesRange, readFiles } from "./read-files.js";

export interface FilesPage {
  files: FileRecord[];
  nextCursor: string | null;
}

/** A file that is being deleted is none any more. */
export const LISTED = fileStatuses.filter((status) => status !== "deleting");

/**
 * A page of the project's files, newest first, as customers see them. Pages go by key, not by offset: a file added meanwhile
 * moves nothing, and page 10,000 costs what page 1 does. A search's page may be short and not the last: see read-files.ts.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this service did not make; `unavailable`
 */
export async function listFiles(
  deps: { db: Database },
  project: Project,
  query: ListFilesQuery,
): Promise<FilesPage> {
  const { tenantId, status, q, limit, cursor } = query;
  const statuses = LISTED.filter((listed) => status === undefined || status === listed);
  const range: FilesRange = {
    projectId: project.id,
    tenantId,
    statuses,
    q,
    sort: "created_at",
    order: "desc",
  };
  const [createdAt, id] = cursor === undefined ? [] : readCursor("f", 2, cursor);
  const after = id === undefined ? undefined : { key: String(createdAt), id };
  const page = await deps.db.run((db) => readFiles(db, range, { after, limit }));
  return {
    files: page.files.map(({ id: _, declaredSize: __, ...row }) => toFileRecord(row)),
    nextCursor: page.next && writeCursor("f", [Number(page.next.key), page.next.id]),
  };
}
