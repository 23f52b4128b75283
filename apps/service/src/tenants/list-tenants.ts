import type { TenantSort } from "@stowage/schemas";
import { and, asc, type Column, desc, eq, ilike, type SQL, sql } from "drizzle-orm";
import { readCursor, writeCursor } from "#lib/cursor.js";
import type { Drizzle, Queries } from "#db/client.js";
import { projects, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { containing, SEARCH_WINDOW } from "#lib/search.js";
import { tenantColumns, type TenantRecord, toTenantRecord } from "./tenant-record.js";

export interface TenantsQuery {
  q?: string | undefined;
  sort: TenantSort | "tenant_id";
  /** Left out: newest or largest first, names from A to Z. */
  order?: "asc" | "desc" | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface TenantsPage {
  tenants: TenantRecord[];
  nextCursor: string | null;
}

/**
 * A page of the project's tenants: by age, by use or by name. Pages go by key as those of files do, and search as they
 * do. A tenant whose use changes while somebody pages by size moves, and may be met twice or not at all; no other is.
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
  const isListed = and(
    eq(tenants.projectId, project.id),
    cursor === undefined ? undefined : order.after(readCursor(order.kind, 2, cursor)),
  );
  return deps.db.run(async (db) => {
    const edge = q === undefined ? [] : await read(db, isListed, order, 2, SEARCH_WINDOW - 1);
    // The last tenant that a search reads, unless it reads all that are left.
    const lastRead = edge.length === 2 ? keyOf(edge[0]!) : undefined;
    const isRead = and(isListed, lastRead && order.through(lastRead));
    const rows =
      q === undefined
        ? await read(db, isListed, order, limit + 1)
        : await search(db, isRead, order, limit + 1, q);
    const page = rows.slice(0, limit);
    const next = rows.length > limit ? keyOf(page.at(-1)!) : lastRead;
    return {
      tenants: page.map(({ id: _, ...row }) => toTenantRecord(row, deps.defaultQuotaBytes)),
      nextCursor: next ? writeCursor(order.kind, next) : null,
    };
  });
}

/** A tenant's place in each of the orders. */
type Key = [usedBytes: number, id: number];
const keyOf = (row: { usedBytes: number; id: number }): Key => [row.usedBytes, row.id];

interface Order {
  kind: string;
  by: SQL[];
  /** What comes later in the list than this place. */
  after(key: number[]): SQL;
  /** What comes before it, and what stands there. */
  through(key: number[]): SQL;
}

interface Sort {
  kind: string;
  columns: Column[];
  /** What the columns are at a place. */
  at(project: Project, key: number[]): SQL;
  usually: "asc" | "desc";
}

const { usedBytes, id, tenantId } = tenants;
/** Each has an index. */
const sorts: Record<TenantsQuery["sort"], Sort> = {
  // Ids are given out in the order of creation, and no two tenants share one.
  created_at: { kind: "c", columns: [id], at: (_, [, id]) => sql`${id}`, usually: "desc" },
  used_bytes: {
    kind: "u",
    columns: [usedBytes, id],
    at: (_, [used, id]) => sql`${used}, ${id}`,
    usually: "desc",
  },
  // Its place is told by id, since a name may be longer than a cursor. Tenants go with their project and not before.
  tenant_id: {
    kind: "n",
    columns: [tenantId],
    at: (project, [, id]) =>
      sql`(select place.tenant_id from ${tenants} place where place.project_id = ${project.id} and place.id = ${id})`,
    usually: "asc",
  },
};

function orderOf(project: Project, query: TenantsQuery): Order {
  const { kind, columns, at, usually } = sorts[query.sort];
  const order = query.order ?? usually;
  const place = sql.join(columns, sql`, `);
  const [later, notLater] = order === "asc" ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`];
  return {
    kind: order === usually ? kind : `${kind}-`,
    by: columns.map((column) => (order === "asc" ? asc(column) : desc(column))),
    after: (key) => sql`(${place}) ${later} (${at(project, key)})`,
    through: (key) => sql`(${place}) ${notLater} (${at(project, key)})`,
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

/** IDs are compared outside of a limit: inside, the planner might read the whole table for them. */
async function search(db: Drizzle, where: SQL | undefined, order: Order, limit: number, q: string) {
  const window = read(db, where, order, SEARCH_WINDOW).as("tenants");
  return db
    .select()
    .from(window)
    .where(ilike(window.tenantId, containing(q)))
    .orderBy(...order.by)
    .limit(limit);
}
