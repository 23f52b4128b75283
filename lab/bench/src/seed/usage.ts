import type { Seeding } from "./place.js";

/** Refusals are seeded for this many days, because the dashboard shows no more. */
const REFUSED_DAYS = 90;

/** Computes the usage per day from the files, and adds some refusals. A file that waits for removal was deleted after three days. */
export async function seedUsage({
  sql,
  until,
  projects,
  lastFile,
  lastProject,
  lastTenant,
}: Seeding): Promise<void> {
  const today = `('${until.toISOString()}'::timestamptz at time zone 'UTC')::date`;
  const sums = "uploads, uploaded_bytes, deleted_files, deleted_bytes";
  await sql.unsafe(`
    insert into usage_daily (project_id, tenant, day, ${sums})
    select project_id, tenant, day, sum(came), sum(came * size), sum(went), sum(went * size)
    from (select project_id, tenant, size, 1 as came, 0 as went, (stored_at at time zone 'UTC')::date as day
          from files where id > ${lastFile} and status in ('stored', 'deleting')
          union all
          select project_id, tenant, size, 0, 1, least(${today}, (stored_at at time zone 'UTC')::date + 3)
          from files where id > ${lastFile} and status = 'deleting') change
    group by project_id, tenant, day`);
  await sql.unsafe(`
    insert into project_usage_daily (project_id, day, slot, ${sums})
    select project_id, day, tenant % 16, sum(uploads), sum(uploaded_bytes), sum(deleted_files), sum(deleted_bytes)
    from usage_daily where tenant > ${lastTenant} group by project_id, day, tenant % 16`);
  await sql.unsafe(`
    insert into refusals_daily (project_id, day, code, count)
    select ${lastProject} + n, ${today} - ago::int, code, 1 + floor(40 * power(pg_temp.chance(n * 1000 + ago, 20), 6))::int
    from generate_series(1::bigint, ${projects}) n, generate_series(0::bigint, ${REFUSED_DAYS - 1}) ago,
         unnest(array['quota_exceeded', 'file_too_large', 'invalid_request']) code
    where pg_temp.chance(n * 100000 + ago * 1000 + length(code), 21) < 0.3`);
}
