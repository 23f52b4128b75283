import type { Database } from "#db/client.js";
import type { Project } from "#projects/find-project.js";
import type { TenantDrift } from "./drift.js";
import { COUNTED } from "#db/schema/file-statuses.js";

const TENANTS_PER_PAGE = 200;

interface Row {
  id: number;
  tenantId: string;
  usedBytes: number;
  reservedBytes: number;
  fileCount: number;
  actualUsedBytes: number;
  actualReservedBytes: number;
  actualFileCount: number;
  daysUsedBytes: number;
  daysFileCount: number;
}

/*
 * Reads counters and files in one statement, so in one snapshot. Both change in the same transaction, so running uploads never look
 * like drift.
 */
const RECOUNT = `
select t.id, t.tenant_id as "tenantId",
       t.used_bytes as "usedBytes", t.reserved_bytes as "reservedBytes", t.file_count as "fileCount",
       f.used as "actualUsedBytes", f.reserved as "actualReservedBytes", f.stored as "actualFileCount",
       d.bytes as "daysUsedBytes", d.files as "daysFileCount"
from (select * from tenants where project_id = $1::bigint and id > $2::bigint order by id limit ${TENANTS_PER_PAGE}) t
cross join lateral (
  select coalesce(sum(size) filter (where status in ${COUNTED}), 0)::bigint as used,
         (coalesce(sum(reserved_bytes), 0) - (
           select coalesce(sum(credit_bytes), 0) from replacements r where r.project_id = $1::bigint and r.tenant = t.id))::bigint as reserved,
         (count(*) filter (where status in ${COUNTED}))::integer as stored
  from files where files.project_id = $1::bigint and files.tenant = t.id
) f
cross join lateral (
  select coalesce(sum(uploaded_bytes - deleted_bytes), 0)::bigint as bytes,
         coalesce(sum(uploads - deleted_files), 0)::bigint as files
  from usage_daily where usage_daily.project_id = $1::bigint and usage_daily.tenant = t.id
) d
order by t.id`;

/**
 * Adds up every tenant's files and yields the tenants whose counters differ from the sums, or else whose daily usage does.
 *
 * @throws {StowageError} `unavailable`
 */
export async function* recount(deps: { db: Database }, projects: Project[]): AsyncGenerator<TenantDrift> {
  for (const project of projects) {
    for (let after = 0; ;) {
      const rows = await deps.db.execute<Row>(RECOUNT, [project.id, after]);
      yield* rows.flatMap((row) => toDrift(project, row) ?? []);
      if (rows.length < TENANTS_PER_PAGE) break;
      after = rows.at(-1)!.id;
    }
  }
}

function toDrift(project: Project, row: Row): TenantDrift | null {
  const { usedBytes, reservedBytes, fileCount, daysUsedBytes, daysFileCount } = row;
  const of = { projectRef: project.ref, tenantId: row.tenantId };
  const actual = { usedBytes: row.actualUsedBytes, fileCount: row.actualFileCount };
  const recorded = { usedBytes, reservedBytes, fileCount };
  if (
    usedBytes !== actual.usedBytes ||
    fileCount !== actual.fileCount ||
    reservedBytes !== row.actualReservedBytes
  )
    return {
      kind: "counters",
      ...of,
      recorded,
      actual: { ...actual, reservedBytes: row.actualReservedBytes },
    };
  if (daysUsedBytes !== actual.usedBytes || daysFileCount !== actual.fileCount)
    return { kind: "days", ...of, recorded: { usedBytes: daysUsedBytes, fileCount: daysFileCount }, actual };
  return null;
}
