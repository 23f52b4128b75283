import type { ListFilesQuery } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { readCursor, writeCursor } from "#lib/cursor.js";
import { type FileRecord, toFileRecord } from "#files/record/file-record.js";
import { defaultStatuses, type FileFilter } from "./file-filter.js";
import { type FileInList, readFiles } from "./read-files.js";

export interface FilesPage {
  files: FileRecord[];
  nextCursor: string | null;
}

/**
 * One page of a project's files for customers, newest first. A page starts after a sort key, not at an offset: files that are
 * added meanwhile move nothing, and page 10,000 costs as much as page 1. With a search, a page may be short and still not be the
 * last one: see read-files.ts.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this list did not make; `unavailable`
 */
export async function listFiles(
  deps: { db: Queries; store: Pick<ObjectStore, "published"> },
  project: Project,
  query: ListFilesQuery,
): Promise<FilesPage> {
  const { tenantId, status, q, limit, cursor } = query;
  const statuses = status === undefined ? defaultStatuses : status === "deleting" ? [] : [status];
  const filter = { projectId: project.id, tenantId, statuses, q };
  const { rows, nextCursor } = await listNewestFiles(deps, "files", filter, { limit, cursor });
  return { files: rows.map(({ file }) => toFileRecord(file, deps.store)), nextCursor };
}

/**
 * Reads one page of files, newest first.
 *
 * @param list the name of the list in its cursors
 * @throws the errors of {@link listFiles}
 */
export async function listNewestFiles(
  { db }: { db: Queries },
  list: string,
  filter: FileFilter,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<{ rows: FileInList[]; nextCursor: string | null }> {
  const [createdAt, id] = cursor === undefined ? [] : readCursor(list, ["number", "number"], cursor);
  const after = id === undefined ? undefined : { key: String(createdAt), id };
  const query = { ...filter, sort: "created_at" as const, order: "desc" as const };
  const { rows, rest } = await db.run((drizzle) => readFiles(drizzle, query, { after, limit }));
  return { rows, nextCursor: rest && writeCursor(list, [Number(rest.key), rest.id]) };
}
