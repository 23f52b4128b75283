import type { FileStatus } from "@stowage/schemas";
import { and, desc, eq, ilike, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Drizzle } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import { containing, SEARCH_WINDOW } from "#search.js";
import { fileColumns } from "./file-record.js";

/** Files of a project, perhaps of one tenant, of these statuses, between two ids that are not of them. */
export interface FilesRange {
  projectId: number;
  tenantId: string | undefined;
  statuses: FileStatus[];
  aboveId: number;
  belowId: number;
}

/**
 * The newest files of a range, with `q` in their names where it is given. The cost is that of `limit` rows for each status,
 * or of the search's window, however many files there are.
 */
export async function readFiles(
  db: Drizzle,
  range: FilesRange,
  { q, limit }: { q: string | undefined; limit: number },
) {
  const { tenantId: _, ...columns } = fileColumns;
  // Names are compared outside of the limit: inside, the planner might read the whole table for them.
  const readings = range.statuses.map((status) =>
    db
      .select({ id: files.id, project: files.projectId, tenant: files.tenant, ...columns })
      .from(files)
      .where(ofStatus(range, status))
      .orderBy(...newestFirst)
      .limit(q === undefined ? limit : SEARCH_WINDOW),
  );
  const [first, second, ...others] = readings;
  const listed = (second ? unionAll(first!, second, ...others) : first!).as("listed");
  const { id, filePath, project, tenant, ...fields } = listed._.selectedFields;
  return (
    db
      // One look-up for each row of the page, where a join might read all tenants.
      .select({
        id,
        filePath,
        tenantId: sql<string>`(select ${tenants.tenantId} from ${tenants}
          where ${and(eq(tenants.projectId, project), eq(tenants.id, tenant))})`,
        ...fields,
      })
      .from(listed)
      .where(q === undefined ? undefined : ilike(listed.filename, containing(q.normalize("NFC"))))
      .orderBy(desc(listed.id))
      .limit(limit)
  );
}

/** The id of the newest file that lies beyond so many of a range; null when the range has no more. */
export async function findUnread(db: Drizzle, range: FilesRange, beyond: number): Promise<number | null> {
  const readings = range.statuses.map((status) =>
    db
      .select({ id: files.id })
      .from(files)
      .where(ofStatus(range, status))
      .orderBy(...newestFirst)
      .limit(beyond + 1),
  );
  const [first, second, ...others] = readings;
  const listed = (second ? unionAll(first!, second, ...others) : first!).as("listed");
  const [unread] = await db
    .select({ id: listed.id })
    .from(listed)
    .orderBy(desc(listed.id))
    .limit(1)
    .offset(beyond);
  return unread?.id ?? null;
}

/*
 * Each status is read by itself, as a stretch of an index on (…, status, id), and the readings are merged: so every filter
 * finds its rows side by side, and a million files that wait for their removal are nowhere in the way. The stretch is
 * given as two pairs, and status is in the order: were it `status = …`, the planner might take the primary key for it and
 * read past all files of other statuses.
 */
const newestFirst = [desc(files.status), desc(files.id)];

function ofStatus(range: FilesRange, status: FileStatus): SQL | undefined {
  const at = (id: number) => sql`(${status}::file_status, ${id}::bigint)`;
  return and(
    eq(files.projectId, range.projectId),
    range.tenantId === undefined ? undefined : eq(files.tenant, idOfTenant(range.projectId, range.tenantId)),
    sql`(${files.status}, ${files.id}) > ${at(range.aboveId)}`,
    sql`(${files.status}, ${files.id}) < ${at(range.belowId)}`,
  );
}

/** Inside of the query, so that its plan is that of a known tenant; an unknown one is null and has no files. */
function idOfTenant(projectId: number, tenantId: string): SQL {
  const isThis = and(eq(tenants.projectId, projectId), eq(tenants.tenantId, tenantId));
  return sql`(select ${tenants.id} from ${tenants} where ${isThis})`;
}
