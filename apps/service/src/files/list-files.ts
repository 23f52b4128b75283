import { fileStatuses, type ListFilesQuery } from "@stowage/schemas";
import type { Database } from "#db/client.js";
import type { Project } from "#projects/find-project.js";
import { readCursor, writeCursor } from "#cursor.js";
import { SEARCH_WINDOW } from "#search.js";
import { type FileRecord, toFileRecord } from "./file-record.js";
import { type FilesRange, findUnread, readFiles } from "./read-files.js";

export interface FilesPage {
  files: FileRecord[];
  nextCursor: string | null;
}

/** A file that is being deleted is none any more. */
const LISTED = fileStatuses.filter((status) => status !== "deleting");

/**
 * A page of the project's files, newest first. Pages go by key, not by offset: a file added meanwhile moves nothing, and
 * page 10,000 costs what page 1 does. A search reads {@link SEARCH_WINDOW} files at most; its page may be short and not the last.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this service did not make; `unavailable`
 */
export async function listFiles(
  deps: { db: Database },
  project: Project,
  query: ListFilesQuery,
): Promise<FilesPage> {
  const { tenantId, status, q, limit, cursor } = query;
  const belowId = cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor("f", 1, cursor)[0]!;
  const statuses = LISTED.filter((listed) => status === undefined || status === listed);
  const range: FilesRange = { projectId: project.id, tenantId, statuses, aboveId: 0, belowId };
  if (statuses.length === 0) return { files: [], nextCursor: null };
  return deps.db.run(async (db) => {
    // Found before anything is read: a file added between the two queries must not move it.
    const unreadId = q === undefined ? null : await findUnread(db, range, SEARCH_WINDOW);
    const rows = await readFiles(db, { ...range, aboveId: unreadId ?? 0 }, { q, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    // A search that found no more goes on with the first file that it did not read.
    const nextId = last?.id ?? (unreadId === null ? null : unreadId + 1);
    return {
      files: page.map(({ id: _, ...row }) => toFileRecord(row)),
      nextCursor: nextId === null ? null : writeCursor("f", [nextId]),
    };
  });
}
