import { createHash } from "node:crypto";
import { type FileStatus, StowageError } from "@stowage/schemas";
import type { FilesListInput } from "@stowage/schemas/dashboard";
import type { Queries } from "#db/client.js";
import type { Project } from "#projects/find-project.js";
import { readCursor, writeCursor } from "#lib/cursor.js";
import { addMs, DAY_MS } from "#lib/time.js";
import { type FilesQuery, listedStatuses } from "./file-filter.js";
import { type ReadFile, readFiles } from "./read-files.js";
import { type FileKey, sortKeys } from "./sort-keys.js";

/** A file as the dashboard lists it. */
export interface ListedFile {
  id: number;
  path: string;
  filename: string;
  contentType: string;
  /** The size that the customer declared; null if it declared none. */
  declaredSizeBytes: number | null;
  /** The size of the object in storage; null until the service has seen it. */
  sizeBytes: number | null;
  status: FileStatus;
  tenantId: string;
  createdAt: string;
  storedAt: string | null;
}

export interface ListedFilesPage {
  files: ListedFile[];
  nextCursor: string | null;
}

/**
 * One page of a project's files for operators: any combination of filters, in one of three orders, ascending or descending. As with
 * {@link listFiles} a page may be short or empty and still not be the last one: only a null cursor means the end.
 *
 * @throws {StowageError} `invalid_request` for a cursor of another list, another filter or another order; `unavailable`
 */
export async function browseFiles(
  deps: { db: Queries },
  project: Project,
  input: FilesListInput,
): Promise<ListedFilesPage> {
  const { statuses, from, to, limit, cursor, ...rest } = input;
  const query: FilesQuery = {
    projectId: project.id,
    ...rest,
    statuses: listedStatuses.filter((listed) => statuses === undefined || statuses.includes(listed)),
    from: from === undefined ? undefined : new Date(from),
    before: to === undefined ? undefined : addMs(new Date(to), DAY_MS),
  };
  const after = cursor === undefined ? undefined : readFileKey(query, cursor);
  const page = await deps.db.run((db) => readFiles(db, query, { after, limit }));
  return {
    files: page.files.map(toListedFile),
    nextCursor: page.next && writeCursor(hashOf(query), [page.next.key, page.next.id]),
  };
}

export function toListedFile(row: ReadFile): ListedFile {
  return {
    id: row.id,
    path: row.filePath,
    filename: row.filename,
    contentType: row.contentType,
    declaredSizeBytes: row.declaredSize,
    sizeBytes: row.size,
    status: row.status,
    tenantId: row.tenantId,
    createdAt: row.createdAt.toISOString(),
    storedAt: row.storedAt?.toISOString() ?? null,
  };
}

function readFileKey(query: FilesQuery, cursor: string): FileKey {
  const [key, id] = readCursor(hashOf(query), ["string", "number"], cursor, OTHER_LIST);
  if (!sortKeys[query.sort].isKey(key))
    throw new StowageError("invalid_request", { detail: "cursor is not valid" });
  return { key, id };
}

const OTHER_LIST =
  "cursor belongs to a list with other filters or another order: request the first page again";

/** Identifies a list by its filters and order: a cursor is valid only for the list that made it. */
function hashOf(query: FilesQuery): string {
  const { projectId, tenantId, statuses, q, kind, from, before, sort, order } = query;
  const text = JSON.stringify([projectId, tenantId, statuses, q, kind, from, before, sort, order]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}
