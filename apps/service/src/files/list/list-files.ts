import type { ListFilesQuery } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import type { Project } from "#projects/find-project.js";
import { readCursor, writeCursor } from "#lib/cursor.js";
import { type FileRecord, toFileRecord } from "#files/file-record.js";
import { listedStatuses } from "./file-filter.js";
import { readFiles } from "./read-files.js";

export interface FilesPage {
  files: FileRecord[];
  nextCursor: string | null;
}

/** The name of this list in its cursors. */
const LIST = "files";

/**
 * One page of a project's files for customers, newest first. A page starts after a sort key, not at an offset: files that are
 * added meanwhile move nothing, and page 10,000 costs as much as page 1. With a search, a page may be short and still not be the
 * last one: see read-files.ts.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this list did not make; `unavailable`
 */
export async function listFiles(
  deps: { db: Queries },
  project: Project,
  query: ListFilesQuery,
): Promise<FilesPage> {
  const { tenantId, status, q, limit, cursor } = query;
  const statuses = listedStatuses.filter((listed) => status === undefined || status === listed);
  const filter = { projectId: project.id, tenantId, statuses, q };
  const [createdAt, id] = cursor === undefined ? [] : readCursor(LIST, ["number", "number"], cursor);
  const after = id === undefined ? undefined : { key: String(createdAt), id };
  const page = await deps.db.run((db) =>
    readFiles(db, { ...filter, sort: "created_at", order: "desc" }, { after, limit }),
  );
  return {
    files: page.rows.map(({ file }) => toFileRecord(file)),
    nextCursor: page.rest && writeCursor(LIST, [Number(page.rest.key), page.rest.id]),
  };
}
