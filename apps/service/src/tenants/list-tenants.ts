import type { TenantSort } from "@stowage/schemas";
import { and, asc, type Column, desc, eq, ilike, type SQL, sql } from "drizzle-orm";
import { readPlace, writePlace } from "#lib/cursor.js";
import { cutAt, type Part, readPage } from "#lib/read-page.js";
import type { Drizzle, Queries } from "#db/client.js";
import { plans, projects, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { type BoundedCount, boundedCount } from "#lib/bounded-count.js";
import { containsPattern, SCATTERED_WINDOW, SEARCH_WINDOW } from "#lib/search.js";
import {
  planOf,
  type ServiceLimits,
  tenantColumns,
  type TenantRecord,
  toTenantRecord,
} from "./tenant-record.js";

export interface TenantsQuery {
  q?: string | undefined;
  sort: TenantSort | "tenant_id";
  /** @default "desc" for `created_at` and `used_bytes`, "asc" for `tenant_id` */
  order?: "asc" | "desc" | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface TenantsPage {
  tenants: TenantRecord[];
  /** Null on the first page. */
  previousCursor: string | null;
  /** Null on the last page. */
  nextCursor: string | null;
  /** Whether the page was read backwards, for a cursor of a previous page. Then a search continues with `previousCursor`. */
  isBackward: boolean;
}

/**
 * One page of a project's tenants, by age, usage or name. Pages start after a sort key and searches read a window, as in
 * files/list/list-files.ts. In a list by usage, a tenant whose usage changes between two pages may appear twice or not at all. A list by
 * name starts again if the last tenant of a page was deleted.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this list did not make; `unavailable`
 */
export async function listTenants(
  deps: { db: Queries } & ServiceLimits,
  project: Project,
  query: TenantsQuery,
): Promise<TenantsPage> {
  const { list } = orderOf(project, query, false);
  const place = readPlace(list, ["number", "number"], query.cursor);
  const page = await deps.db.run(async (db) => {
    const isLost =
      place !== undefined && query.sort === "tenant_id" && !(await exists(db, project, place.at));
    return readPage({
      place: isLost ? undefined : place,
      read: (reading) => readTenants(db, project, query, reading),
      positionOf: keyOf,
    });
  });
  return {
    tenants: page.rows.map(({ id: _, ...row }) => toTenantRecord(row, deps)),
    previousCursor: writePlace(list, page.previous),
    nextCursor: writePlace(list, page.next),
    isBackward: page.isBackward,
  };
}

/**
 * Counts a project's tenants whose ID contains a text, or all of them. It reads at most two thousand rows, so a count is either exact
 * or a lower bound.
 *
 * @throws {StowageError} `unavailable`
 */
export async function countTenants(
  deps: { db: Queries },
  project: Project,
  { q }: { q?: string | undefined },
): Promise<BoundedCount> {
  const [row] = await deps.db.run((db) => {
    const read = db
      .select({ tenantId })
      .from(tenants)
      .where(eq(tenants.projectId, project.id))
      .orderBy(desc(id))
      .limit(SCATTERED_WINDOW + 1)
      .as("tenants");
    const matches = q === undefined ? sql`true` : ilike(read.tenantId, containsPattern(q));
    return db
      .select({
        found: sql<number>`count(*) filter (where ${matches})::int`,
        isCut: sql<boolean>`count(*) > ${SCATTERED_WINDOW}`,
      })
      .from(read);
  });
  return boundedCount(row!.found, row!.isCut);
}

async function exists(db: Drizzle, project: Project, [, tenant]: Key): Promise<boolean> {
  const rows = await db
    .select({ id })
    .from(tenants)
    .where(and(eq(tenants.projectId, project.id), eq(id, tenant)));
  return rows.length > 0;
}

type TenantRow = Awaited<ReturnType<typeof read>>[number];

async function readTenants(
  db: Drizzle,
  project: Project,
  query: TenantsQuery,
  { isBackward, after }: { isBackward: boolean; after: Key | undefined },
): Promise<Part<TenantRow, Key>> {
  const { q, limit } = query;
  const order = orderOf(project, query, isBackward);
  const isListed = and(eq(tenants.projectId, project.id), after && order.after(after));
  if (q === undefined) return cutAt(await read(db, isListed, order, limit + 1), limit, keyOf);
  const windowEnd = await findWindowEnd(db, isListed, order);
  const isInWindow = and(isListed, windowEnd && order.upTo(windowEnd));
  const { rows, rest } = cutAt(await search(db, isInWindow, order, limit + 1, q), limit, keyOf);
  return { rows, rest: rest ?? windowEnd ?? null };
}

/** The last tenant that a search may read; undefined if fewer tenants than a window remain. */
async function findWindowEnd(db: Drizzle, where: SQL | undefined, order: Order): Promise<Key | undefined> {
  const [last, beyond] = await read(db, where, order, 2, SEARCH_WINDOW - 1);
  return last && beyond ? keyOf(last) : undefined;
}

/** The position of a tenant in any of the orders. */
type Key = [usedBytes: number, id: number];
const keyOf = (row: { usedBytes: number; id: number }): Key => [row.usedBytes, row.id];

interface Order {
  /** The name of the list in its cursors. */
  list: string;
  by: SQL[];
  /** Tenants after this position. */
  after(key: Key): SQL;
  /** Tenants at and before this position. */
  upTo(key: Key): SQL;
}

interface Sort {
  columns: Column[];
  /** The values of the columns at a position. */
  valuesAt(project: Project, key: Key): SQL;
  defaultOrder: "asc" | "desc";
}

const { usedBytes, id, tenantId } = tenants;
/** Every sort has an index. */
const sorts: Record<TenantsQuery["sort"], Sort> = {
  // Ids are assigned in the order of creation, and are unique.
  created_at: { columns: [id], valuesAt: (_, [, id]) => sql`${id}`, defaultOrder: "desc" },
  used_bytes: {
    columns: [usedBytes, id],
    valuesAt: (_, [used, id]) => sql`${used}, ${id}`,
    defaultOrder: "desc",
  },
  // The cursor contains the id, because a name may be longer than a cursor.
  tenant_id: {
    columns: [tenantId],
    valuesAt: (project, [, id]) =>
      sql`(select place.tenant_id from ${tenants} place where place.project_id = ${project.id} and place.id = ${id})`,
    defaultOrder: "asc",
  },
};

function orderOf(project: Project, query: TenantsQuery, isBackward: boolean): Order {
  const { columns, valuesAt, defaultOrder } = sorts[query.sort];
  const listed = query.order ?? defaultOrder;
  const order = isBackward === (listed === "asc") ? "desc" : "asc";
  const values = sql.join(columns, sql`, `);
  const [later, notLater] = order === "asc" ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`];
  return {
    list: `tenants by ${query.sort} ${listed}`,
    by: columns.map((column) => (order === "asc" ? asc(column) : desc(column))),
    after: (key) => sql`(${values}) ${later} (${valuesAt(project, key)})`,
    upTo: (key) => sql`(${values}) ${notLater} (${valuesAt(project, key)})`,
  };
}

function read(db: Drizzle, where: SQL | undefined, order: Order, limit: number, offset = 0) {
  return db
    .select({ id, ...tenantColumns })
    .from(tenants)
    .innerJoin(projects, eq(projects.id, tenants.projectId))
    .leftJoin(plans, planOf)
    .where(where)
    .orderBy(...order.by)
    .limit(limit)
    .offset(offset);
}

/** IDs are compared outside of the LIMIT. Inside it, the planner might read the whole table to find enough matches. */
async function search(db: Drizzle, where: SQL | undefined, order: Order, limit: number, q: string) {
  const window = read(db, where, order, SEARCH_WINDOW).as("tenants");
  return db
    .select()
    .from(window)
    .where(ilike(window.tenantId, containsPattern(q)))
    .orderBy(...order.by)
    .limit(limit);
}
