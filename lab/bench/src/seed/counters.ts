import type { Seeding } from "./place.js";

/** Computes the service's counters from the files. */
export async function seedCounters({ sql, lastFile }: Pick<Seeding, "sql" | "lastFile">): Promise<void> {
  await sql.unsafe(`
    update tenants t set used_bytes = sums.used, reserved_bytes = sums.reserved, file_count = sums.files
    from (select project_id, tenant, coalesce(sum(size) filter (where status = 'stored'), 0) as used,
                 sum(reserved_bytes) as reserved, count(*) filter (where status = 'stored') as files
          from files where id > ${lastFile} group by project_id, tenant) sums
    where t.project_id = sums.project_id and t.id = sums.tenant`);
}
