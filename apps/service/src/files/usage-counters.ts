import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { USAGE_SLOTS } from "#db/schema/index.js";
import { toUtcDay } from "#lib/time.js";

/** What a transaction changes about the files of one tenant. */
export interface UsageChange {
  /** `tenants.id` */
  tenant: number;
  /** Files that became stored, and stored files that were deleted. A replaced file counts as both. */
  uploads: number;
  uploadedBytes: number;
  deletedFiles: number;
  deletedBytes: number;
  /** How many more bytes of the quota open uploads reserve; negative for fewer. */
  reservedBytes: number;
}

interface ChangeContext {
  projectId: number;
  at: Date;
}

export const noUsageChange = (tenant: number): UsageChange => ({
  tenant,
  uploads: 0,
  uploadedBytes: 0,
  deletedFiles: 0,
  deletedBytes: 0,
  reservedBytes: 0,
});

/**
 * Adds changes to the tenants' counters and to the daily usage of tenants and project, in one statement. Both are written from the
 * same numbers, so a tenant's counters always equal the sums over its days.
 *
 * @param changes one for each tenant
 */
export async function updateUsageCounters(
  tx: Transaction,
  context: ChangeContext,
  changes: UsageChange[],
): Promise<void> {
  await tx.execute(
    sql`with change (${COLUMNS}) as (${toValues(context, changes)}), ${sql.raw(UPDATE_USAGE)} select true`,
  );
}

/** Adds changes to the daily usage only, for tenants whose counters are already right. */
export async function updateDailyUsage(
  tx: Transaction,
  context: ChangeContext,
  changes: UsageChange[],
): Promise<void> {
  await tx.execute(
    sql`with counted (${COLUMNS}) as (${toValues(context, changes)}), ${sql.raw(UPDATE_DAYS)} select true`,
  );
}

function toValues({ projectId, at }: ChangeContext, changes: UsageChange[]): SQL {
  const rows = changes.map(
    (c) => sql`(${projectId}::bigint, ${c.tenant}::bigint, ${toUtcDay(at)}::date, ${c.uploads}::int,
      ${c.uploadedBytes}::bigint, ${c.deletedFiles}::int, ${c.deletedBytes}::bigint, ${c.reservedBytes}::bigint)`,
  );
  return sql`values ${sql.join(rows, sql`, `)}`;
}

const sums = ["uploads", "uploaded_bytes", "deleted_files", "deleted_bytes"];
const SUMS = sums.join(", ");
const ADD = sums.map((column) => `${column} = kept.${column} + excluded.${column}`).join(", ");
/** The columns of a CTE named `change`: one row for each tenant. */
export const USAGE_CHANGE_COLUMNS = `project_id, tenant, day, ${SUMS}, reserved_bytes`;
const COLUMNS = sql.raw(USAGE_CHANGE_COLUMNS);

const UPDATE_DAYS = `
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
 * The CTEs that apply a preceding CTE named `change`, with {@link USAGE_CHANGE_COLUMNS}. For statements that also change the
 * files, and derive `change` from the changed rows.
 *
 * These statements cannot deadlock. Each CTE reads what the one before it returned, so locks are always taken in the same order:
 * files, tenants by their ids, the tenants' days (which only the holder of the tenant's lock changes), and the projects' slots in
 * their order.
 */
export const UPDATE_USAGE = `
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
), ${UPDATE_DAYS}`;
