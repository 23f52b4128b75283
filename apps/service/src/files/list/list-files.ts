import { createHash } from "node:crypto";
import type { ListFilesQuery } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { readCursor, writeCursor } from "#lib/cursor.js";
import { addMs } from "#lib/time.js";
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
  const { tenantId, status, q, limit, cursor, createdFrom, createdTo, ...more } = query;
  const { metadata, folder, folderBelow, contentType, sizeFrom, sizeTo } = more;
  const statuses = status === undefined ? defaultStatuses : status === "deleting" ? [] : [status];
  const filter = {
    projectId: project.id,
    tenantId,
    statuses,
    q,
    metadata,
    folder,
    folderBelow,
    contentType,
    sizeFrom,
    sizeTo,
    from: createdFrom,
    // Times of files are whole milliseconds.
    before: createdTo && addMs(createdTo, 1),
  };
  const list = nameOfList({ ...more, createdFrom, createdTo });
  const { rows, nextCursor } = await listNewestFiles(deps, list, filter, { limit, cursor });
  return { files: rows.map(({ file }) => toFileRecord(file, deps.store)), nextCursor };
}

/** With the filters, so that no page of another list follows by mistake. */
function nameOfList(filters: Partial<ListFilesQuery>): string {
  const given = JSON.stringify(filters, (_, value: unknown) =>
    isRecord(value) ? sortedEntries(value) : value,
  );
  return given === "[]" ? "files" : `files ${createHash("sha256").update(given).digest("base64url")}`;
}

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Without members that are undefined. */
const sortedEntries = (value: object) =>
  Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

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
