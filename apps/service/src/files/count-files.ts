import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { USAGE_SLOTS } from "#db/schema/index.js";

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
 * @param changes one for each tenant
 */
export async function countFiles(tx: Transaction, when: When, changes: TenantChange[]): Promise<void> {
  await tx.execute(
    sql`with change (${CHANGE}) as (${values(when, changes)}), ${sql.raw(COUNTING)} select true`,
  );
}

/** The same for the days alone, of tenants whose counters are right already. */
export async function countInDays(tx: Transaction, when: When, changes: TenantChange[]): Promise<void> {
  await tx.execute(
    sql`with counted (${CHANGE}) as (${values(when, changes)}), ${sql.raw(WRITE_DAYS)} select true`,
  );
}

function values({ projectId, at }: When, changes: TenantChange[]): SQL {
  const rows = changes.map(
    (c) => sql`(${projectId}::bigint, ${c.tenant}::bigint, ${dayOf(at)}::date, ${c.uploads}::int,
      ${c.uploadedBytes}::bigint, ${c.deletedFiles}::int, ${c.deletedBytes}::bigint, ${c.reservedBytes}::bigint)`,
  );
  return sql`values ${sql.join(rows, sql`, `)}`;
}

const sums = ["uploads", "uploaded_bytes", "deleted_files", "deleted_bytes"];
const SUMS = sums.join(", ");
const ADD = sums.map((column) => `${column} = kept.${column} + excluded.${column}`).join(", ");
/** What a part named `change` has: a row for each tenant. */
export const CHANGE_COLUMNS = `project_id, tenant, day, ${SUMS}, reserved_bytes`;
const CHANGE = sql.raw(CHANGE_COLUMNS);

const WRITE_DAYS = `
daily as (
  insert into usage_daily as kept (project_id, tenant, day, ${SUMS})
  select project_id, tenant, day, ${SUMS} from counted where (${SUMS}) <> (0, 0, 0, 0)
  on conflict (project_id, tenant, day) do update set ${ADD}
  returning project_id, tenant
), of_project as (
  insert into project_usage_daily as kept (project_id, day, slot, ${SUMS})
  select project_id, day, tenant % ${USAGE_SLOTS},
         sum(uploads), sum(uploaded_bytes), sum(deleted_files), sum(deleted_bytes)
  from counted join daily using (project_id, tenant)
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (project_id, day, slot) do update set ${ADD}
)`;

/**
 * What follows on a part named `change`, with {@link CHANGE_COLUMNS}: for statements that change the files themselves, and read the
 * change from what that returned.
 *
 * No two of these wait for each other. Each part reads what the one before it returned, which puts their locks in this order
 * everywhere: files, then tenants by their ids, then the tenants' days, which belong to whoever holds the tenant, then the
 * projects' slots in their order.
 */
export const COUNTING = `
locked as (
  select change.* from (select * from change order by project_id, tenant) change cross join lateral (
    select from tenants where project_id = change.project_id and id = change.tenant for no key update) tenant
), counted as (
  update tenants t set
    used_bytes = t.used_bytes + change.uploaded_bytes - change.deleted_bytes,
    file_count = t.file_count + change.uploads - change.deleted_files,
    reserved_bytes = t.reserved_bytes + change.reserved_bytes
  from locked change where t.project_id = change.project_id and t.id = change.tenant
  returning change.*
), ${WRITE_DAYS}`;
