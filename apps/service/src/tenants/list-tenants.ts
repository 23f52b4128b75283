import type { TenantSort } from "@stowage/schemas";
import { and, asc, type Column, desc, eq, ilike, type SQL, sql } from "drizzle-orm";
import { readCursor, writeCursor } from "#lib/cursor.js";
import type { Drizzle, Queries } from "#db/client.js";
import { projects, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { containsPattern, SEARCH_WINDOW } from "#lib/search.js";
import { tenantColumns, type TenantRecord, toTenantRecord } from "./tenant-record.js";

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
  nextCursor: string | null;
}

/**
 * One page of a project's tenants, by age, usage or name. Pages start after a sort key and searches read a window, as in
 * files/list/list-files.ts. In a list by usage, a tenant whose usage changes between two pages may appear twice or not at all.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this list did not make; `unavailable`
 */
export async function listTenants(
  deps: { db: Queries; defaultQuotaBytes: number | null },
  project: Project,
  query: TenantsQuery,
): Promise<TenantsPage> {
  const { q, limit, cursor } = query;
  const order = orderOf(project, query);
  const key = cursor === undefined ? undefined : readCursor(order.list, ["number", "number"], cursor);
  const isListed = and(eq(tenants.projectId, project.id), key && order.after(key));
  return deps.db.run(async (db) => {
    const windowEnd = q === undefined ? undefined : await findWindowEnd(db, isListed, order);
    const rows =
      q === undefined
        ? await read(db, isListed, order, limit + 1)
        : await search(db, and(isListed, windowEnd && order.upTo(windowEnd)), order, limit + 1, q);
    const page = rows.slice(0, limit);
    const next = rows.length > limit ? keyOf(page.at(-1)!) : windowEnd;
    return {
      tenants: page.map(({ id: _, ...row }) => toTenantRecord(row, deps.defaultQuotaBytes)),
      nextCursor: next ? writeCursor(order.list, next) : null,
    };
  });
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
  // The cursor contains the id, because a name may be longer than a cursor. A tenant is deleted only with its whole project.
  tenant_id: {
    columns: [tenantId],
    valuesAt: (project, [, id]) =>
      sql`(select place.tenant_id from ${tenants} place where place.project_id = ${project.id} and place.id = ${id})`,
    defaultOrder: "asc",
  },
};

function orderOf(project: Project, query: TenantsQuery): Order {
  const { columns, valuesAt, defaultOrder } = sorts[query.sort];
  const order = query.order ?? defaultOrder;
  const values = sql.join(columns, sql`, `);
  const [later, notLater] = order === "asc" ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`];
  return {
    list: `tenants by ${query.sort} ${order}`,
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
