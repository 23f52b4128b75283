import type { ListTenantsQuery, TenantSort } from "@stowage/schemas";
import { and, desc, eq, ilike, type SQL, sql } from "drizzle-orm";
import { readCursor, writeCursor } from "#cursor.js";
import type { Database, Drizzle } from "#db/client.js";
import { projects, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { containing, SEARCH_WINDOW } from "#search.js";
import { tenantColumns, type TenantRecord, toTenantRecord } from "./tenant-record.js";

export interface TenantsPage {
  tenants: TenantRecord[];
  nextCursor: string | null;
}

/**
 * A page of the project's tenants: newest first, or largest first. Pages go by key as those of files do, and search as they
 * do. A tenant whose use changes while somebody pages by size moves, and may be met twice or not at all; no other is.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this list did not make; `unavailable`
 */
export async function listTenants(
  deps: { db: Database; defaultQuotaBytes: number | null },
  project: Project,
  query: ListTenantsQuery,
): Promise<TenantsPage> {
  const order = orders[query.sort];
  const isListed = and(
    eq(tenants.projectId, project.id),
    query.cursor === undefined ? undefined : order.after(readCursor(order.kind, 2, query.cursor)),
  );
  const { q, limit } = query;
  return deps.db.run(async (db) => {
    const [unread] = q === undefined ? [] : await read(db, isListed, order, 1, SEARCH_WINDOW);
    const isRead = and(isListed, unread && order.before([unread.usedBytes, unread.id]));
    const rows =
      q === undefined
        ? await read(db, isListed, order, limit + 1)
        : await search(db, isRead, order, limit + 1, q);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    // A search goes on with the first tenant that it did not read.
    const next = last ? [last.usedBytes, last.id] : unread && [unread.usedBytes, unread.id + 1];
    return {
      tenants: page.map(({ id: _, ...row }) => toTenantRecord(row, deps.defaultQuotaBytes)),
      nextCursor: next ? writeCursor(order.kind, next) : null,
    };
  });
}

interface Order {
  kind: string;
  by: SQL[];
  /** What comes later in the list than this key of used bytes and id. */
  after(key: number[]): SQL;
  before(key: number[]): SQL;
}

const { usedBytes, id } = tenants;
const orders: Record<TenantSort, Order> = {
  // Ids are given out in the order of creation, and no two tenants share one.
  created_at: {
    kind: "c",
    by: [desc(id)],
    after: ([, lastId]) => sql`${id} < ${lastId}`,
    before: ([, lastId]) => sql`${id} > ${lastId}`,
  },
  used_bytes: {
    kind: "u",
    by: [desc(usedBytes), desc(id)],
    after: ([used, lastId]) => sql`(${usedBytes}, ${id}) < (${used}, ${lastId})`,
    before: ([used, lastId]) => sql`(${usedBytes}, ${id}) > (${used}, ${lastId})`,
  },
};

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
