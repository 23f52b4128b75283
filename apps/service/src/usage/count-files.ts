import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { projectUsageDaily, tenants, USAGE_SLOTS, usageDaily } from "#db/schema/index.js";

/** What happened to files of one tenant. */
export interface TenantChange {
  /** `tenants.id` */
  tenant: number;
  /** Stored files that came, and those that went. A file that is replaced does both. */
  uploads: number;
  uploadedBytes: number;
  deletedFiles: number;
  deletedBytes: number;
  /** By how much open uploads hold more, or less, of the quota. */
  reservedBytes: number;
}

interface When {
  projectId: number;
  at: Date;
}

/** In UTC, whatever the database's time zone. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export const noChange = (tenant: number): TenantChange => ({
  tenant,
  uploads: 0,
  uploadedBytes: 0,
  deletedFiles: 0,
  deletedBytes: 0,
  reservedBytes: 0,
});

/**
 * Counts what the transaction does to stored files and to reservations: in the tenants' counters and in the days of tenant and
 * project, by one statement. What is there is what came less what went, because both are written from the same numbers.
 *
 * No two of these wait for each other: a tenant's row comes first, its day belongs to whoever holds that row, and the project's
 * slots follow in their order, one after the other. Callers with several tenants have locked them before, by id.
 */
export async function countFiles(tx: Transaction, when: When, changes: TenantChange[]): Promise<void> {
  await tx.execute(sql`with ${counting(when, values(changes))}`);
}

/**
 * The same as the end of a statement that changes the files itself: `change` reads what the change returned, which puts the files'
 * locks before all others.
 *
 * @param change selects the columns of {@link TenantChange}, in its order
 * @returns what follows on `with`, and on the parts before it; a row for each slot that it wrote
 */
export function counting(when: When, change: SQL): SQL {
  return sql`change (${CHANGE}) as (${change}), counted as (
      update ${tenants} as t set
        used_bytes = t.used_bytes + change.uploaded_bytes - change.deleted_bytes,
        file_count = t.file_count + change.uploads - change.deleted_files,
        reserved_bytes = t.reserved_bytes + change.reserved_bytes
      from change where t.project_id = ${when.projectId}::bigint and t.id = change.tenant
      returning change.*
    ), ${writeDays(when)}`;
}

/** The same for the days alone, of tenants whose counters are right already. */
export async function countInDays(tx: Transaction, when: When, changes: TenantChange[]): Promise<void> {
  await tx.execute(sql`with counted (${CHANGE}) as (${values(changes)}), ${writeDays(when)}`);
}

/** Each part reads what the one before it returned, which is what puts their locks in that order. */
function writeDays({ projectId, at }: When): SQL {
  const day = sql`${dayOf(at)}::date`;
  return sql`daily as (
      insert into ${usageDaily} as kept (project_id, tenant, day, ${SUMS})
      select ${projectId}::bigint, tenant, ${day}, ${SUMS} from counted
      where (${SUMS}) <> (0, 0, 0, 0)
      on conflict (project_id, tenant, day) do update set ${ADD}
      returning tenant
    )
    insert into ${projectUsageDaily} as kept (project_id, day, slot, ${SUMS})
    select ${projectId}::bigint, ${day}, tenant % ${sql.raw(String(USAGE_SLOTS))},
           sum(uploads), sum(uploaded_bytes), sum(deleted_files), sum(deleted_bytes)
    from counted join daily using (tenant)
    group by 3 order by 3
    on conflict (project_id, day, slot) do update set ${ADD}
    returning slot`;
}

function values(changes: TenantChange[]): SQL {
  const rows = changes.map(
    (c) => sql`(${c.tenant}::bigint, ${c.uploads}::int, ${c.uploadedBytes}::bigint, ${c.deletedFiles}::int,
      ${c.deletedBytes}::bigint, ${c.reservedBytes}::bigint)`,
  );
  return sql`values ${sql.join(rows, sql`, `)}`;
}

const columns = ["uploads", "uploaded_bytes", "deleted_files", "deleted_bytes"];
const CHANGE = sql.raw(["tenant", ...columns, "reserved_bytes"].join(", "));
const SUMS = sql.raw(columns.join(", "));
const ADD = sql.raw(columns.map((column) => `${column} = kept.${column} + excluded.${column}`).join(", "));
