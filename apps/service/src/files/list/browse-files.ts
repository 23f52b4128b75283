import { createHash } from "node:crypto";
import { type FileStatus, StowageError } from "@stowage/schemas";
import type { FilesListInput } from "@stowage/schemas/dashboard";
import type { Queries } from "#db/client.js";
import type { Project } from "#projects/find-project.js";
import { LISTED } from "./list-files.js";
import { type FilesRange, type ReadFile, readFiles } from "./read-files.js";
import { type FileKey, sortKeys } from "./sort-keys.js";

/** A file as the dashboard lists it. */
export interface ListedFile {
  id: number;
  path: string;
  filename: string;
  contentType: string;
  /** What the customer announced; null when it did not. */
  declaredSizeBytes: number | null;
  /** What storage holds; null until it was seen. */
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

const DAY_MS = 24 * 3600 * 1000;

/**
 * A page of the project's files as operators look for them: any of the filters together, in one of three orders, either way. As
 * with {@link listFiles} a page may be short, or empty, and not the last: null alone says that the end is reached.
 *
 * @throws {StowageError} `invalid_request` for a cursor of another list, another filter or another order; `unavailable`
 */
export async function browseFiles(
  deps: { db: Queries },
  project: Project,
  query: FilesListInput,
): Promise<ListedFilesPage> {
  const { statuses, from, to, limit, cursor, ...rest } = query;
  const range: FilesRange = {
    projectId: project.id,
    ...rest,
    statuses: LISTED.filter((listed) => statuses === undefined || statuses.includes(listed)),
    from: from === undefined ? undefined : new Date(from),
    before: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
  };
  const after = cursor === undefined ? undefined : readKey(range, cursor);
  const page = await deps.db.run((db) => readFiles(db, range, { after, limit }));
  return {
    files: page.files.map(toListedFile),
    nextCursor: page.next && writeKey(range, page.next),
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

function writeKey(range: FilesRange, { key, id }: FileKey): string {
  return Buffer.from(JSON.stringify([nameOf(range), key, id])).toString("base64url");
}

function readKey(range: FilesRange, cursor: string): FileKey {
  const [name, key, id] = parseKey(cursor);
  if (typeof name !== "string" || typeof key !== "string" || !Number.isSafeInteger(id))
    throw new StowageError("invalid_request", { detail: "cursor is not valid" });
  if (name !== nameOf(range))
    throw new StowageError("invalid_request", {
      detail: "cursor is of a list with other filters or another order: begin with its first page",
    });
  if (!sortKeys[range.sort].isKey(key))
    throw new StowageError("invalid_request", { detail: "cursor is not valid" });
  return { key, id: Number(id) };
}

function parseKey(cursor: string): unknown[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(key) ? key : [];
  } catch {
    return [];
  }
}

/** Tells one list from another: a cursor goes on in the list that it is of, and in no other. */
function nameOf(range: FilesRange): string {
  const { projectId, tenantId, statuses, q, kind, from, before, sort, order } = range;
  const said = JSON.stringify([projectId, tenantId, statuses, q, kind, from, before, sort, order]);
  return createHash("sha256").update(said).digest("base64url").slice(0, 12);
}
