import type { TenantSort } from "@stowage/schemas";
import { and, asc, type Column, desc, eq, ilike, type SQL, sql } from "drizzle-orm";
import { type Place, readPlace, writePlace } from "#lib/cursor.js";
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
  /** Null on the first page. */
  previousCursor: string | null;
  /** Null on the last page. */
  nextCursor: string | null;
  /** Whether the page was read backwards, for a cursor of a previous page. Then a search goes on with `previousCursor`. */
  isBackward: boolean;
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
  const { list } = orderOf(project, query);
  const place = readPlace(list, ["number", "number"], query.cursor);
  const page = await deps.db.run((db) => readPageOfTenants(db, project, query, place));
  const cursorOf = (at: Key | null, direction: Place<Key>["direction"]) =>
    writePlace(list, at && { direction, at });
  return {
    tenants: page.rows.map(({ id: _, ...row }) => toTenantRecord(row, deps.defaultQuotaBytes)),
    previousCursor: cursorOf(page.previous, "before"),
    nextCursor: cursorOf(page.next, "after"),
    isBackward: page.isBackward,
  };
}

async function readPageOfTenants(
  db: Drizzle,
  project: Project,
  query: TenantsQuery,
  place: Place<Key> | undefined,
): Promise<{ rows: TenantRow[]; previous: Key | null; next: Key | null; isBackward: boolean }> {
  const order = orderOf(project, query);
  if (place?.direction !== "before") {
    const { rows, next } = await readInOrder(db, project, query, { order, after: place?.at });
    return { rows, previous: place && rows[0] ? keyOf(rows[0]) : null, next, isBackward: false };
  }
  const opposite = orderOf(project, { ...query, order: order.direction === "asc" ? "desc" : "asc" });
  const { rows, next: previous } = await readInOrder(db, project, query, {
    order: opposite,
    after: place.at,
  });
  // The start of the list: this is the first page, in its full length.
  if (previous === null) return readPageOfTenants(db, project, query, undefined);
  return { rows: rows.toReversed(), previous, next: rows[0] ? keyOf(rows[0]) : place.at, isBackward: true };
}

type TenantRow = Awaited<ReturnType<typeof read>>[number];

async function readInOrder(
  db: Drizzle,
  project: Project,
  { q, limit }: TenantsQuery,
  { order, after }: { order: Order; after: Key | undefined },
): Promise<{ rows: TenantRow[]; next: Key | null }> {
  const isListed = and(eq(tenants.projectId, project.id), after && order.after(after));
  const windowEnd = q === undefined ? undefined : await findWindowEnd(db, isListed, order);
  const rows =
    q === undefined
      ? await read(db, isListed, order, limit + 1)
      : await search(db, and(isListed, windowEnd && order.upTo(windowEnd)), order, limit + 1, q);
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? keyOf(page.at(-1)!) : (windowEnd ?? null) };
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
  direction: "asc" | "desc";
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
    direction: order,
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
