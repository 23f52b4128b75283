import { type FileStatus, fileStatuses, type ListFilesQuery } from "@stowage/schemas";
import { and, desc, eq, gt, ilike, lt, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { readCursor, writeCursor } from "#cursor.js";
import type { Database, Drizzle } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { containing, SEARCH_WINDOW } from "#search.js";
import { fileColumns, type FileRecord, toFileRecord } from "./file-record.js";

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
  const [beforeId] = query.cursor === undefined ? [] : readCursor("f", 1, query.cursor);
  const statuses = LISTED.filter((status) => query.status === undefined || query.status === status);
  const inPage = and(
    eq(files.projectId, project.id),
    query.tenantId === undefined ? undefined : eq(files.tenant, idOfTenant(project, query.tenantId)),
    beforeId === undefined ? undefined : lt(files.id, beforeId),
  );
  if (statuses.length === 0) return { files: [], nextCursor: null };
  return deps.db.run(async (db) => {
    if (query.q === undefined)
      return toPage(await newest(db, statuses, inPage, query.limit + 1), query.limit);
    const [unread] = await newest(db, statuses, inPage, 1, SEARCH_WINDOW);
    const matches = await newest(
      db,
      statuses,
      and(
        inPage,
        unread === undefined ? undefined : gt(files.id, unread.id),
        ilike(files.filename, containing(query.q.normalize("NFC"))),
      ),
      query.limit + 1,
    );
    const page = toPage(matches, query.limit);
    if (page.nextCursor === null && unread) page.nextCursor = writeCursor("f", [unread.id + 1]);
    return page;
  });
}

/** In the query itself, so that its plan is that of a known tenant; an unknown one is null and has no files. */
function idOfTenant(project: Project, tenantId: string): SQL {
  return sql`(select ${tenants.id} from ${tenants} where ${and(
    eq(tenants.projectId, project.id),
    eq(tenants.tenantId, tenantId),
  )})`;
}

type Row = Awaited<ReturnType<typeof newest>>[number];

/**
 * Each status is read in its own index, newest first, and the readings are merged: every filter finds its rows side by side,
 * and a million files that wait for their removal are nowhere in the way.
 */
async function newest(
  db: Drizzle,
  statuses: FileStatus[],
  where: SQL | undefined,
  limit: number,
  offset = 0,
) {
  const { tenantId: _, ...columns } = fileColumns;
  const readings = statuses.map((status) =>
    db
      .select({ id: files.id, projectId: files.projectId, tenant: files.tenant, ...columns })
      .from(files)
      .where(and(where, eq(files.status, status)))
      .orderBy(desc(files.id))
      .limit(limit + offset),
  );
  const [first, second, ...others] = readings;
  const listed = (second ? unionAll(first!, second, ...others) : first!).as("listed");
  return db
    .select({ ...listed._.selectedFields, tenantId: tenants.tenantId })
    .from(listed)
    .innerJoin(tenants, and(eq(tenants.projectId, listed.projectId), eq(tenants.id, listed.tenant)))
    .orderBy(desc(listed.id))
    .limit(limit)
    .offset(offset);
}

function toPage(rows: Row[], limit: number): FilesPage {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    files: page.map(({ id: _, projectId: _p, tenant: _t, ...row }) => toFileRecord(row)),
    nextCursor: rows.length > limit && last ? writeCursor("f", [last.id]) : null,
  };
}
