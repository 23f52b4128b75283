import type { Sql } from "postgres";

/**
 * Recounts every counter of all projects from the rows of the files: of tenants, of the tenants' days, and of the projects' days.
 *
 * @returns one line for each counter that is wrong
 */
export async function findWrongCounters(sql: Sql): Promise<string[]> {
  const tenants = await sql`
    select t.project_id as project, t.tenant_id as tenant, t.used_bytes as used, t.reserved_bytes as reserved,
           t.file_count as files, f.used as used_in_rows, f.reserved as reserved_in_rows, f.files as files_in_rows,
           d.bytes as bytes_in_days, d.files as files_in_days
    from tenants t
    cross join lateral (
      select coalesce(sum(size) filter (where status in ('stored', 'trashed')), 0) as used,
             coalesce(sum(reserved_bytes), 0) as reserved,
             count(*) filter (where status in ('stored', 'trashed')) as files
      from files where project_id = t.project_id and tenant = t.id) f
    cross join lateral (
      select coalesce(sum(uploaded_bytes - deleted_bytes), 0) as bytes, coalesce(sum(uploads - deleted_files), 0) as files
      from usage_daily where project_id = t.project_id and tenant = t.id) d
    where t.used_bytes <> f.used or t.reserved_bytes <> f.reserved or t.file_count <> f.files
       or d.bytes <> f.used or d.files <> f.files`;
  const projects = await sql`
    with days as (
      select project_id as project, sum(uploaded_bytes - deleted_bytes) as bytes, sum(uploads - deleted_files) as files
      from project_usage_daily group by 1),
    stored as (
      select project_id as project, sum(size) as bytes, count(*) as files
      from files where status in ('stored', 'trashed') group by 1)
    select project, coalesce(days.bytes, 0) as bytes_in_days, coalesce(days.files, 0) as files_in_days,
           coalesce(stored.bytes, 0) as bytes_in_rows, coalesce(stored.files, 0) as files_in_rows
    from days full join stored using (project)
    where (coalesce(days.bytes, 0), coalesce(days.files, 0)) <> (coalesce(stored.bytes, 0), coalesce(stored.files, 0))`;
  return [
    ...tenants.map((row) => `tenant: ${JSON.stringify(row)}`),
    ...projects.map((row) => `days of a project: ${JSON.stringify(row)}`),
  ];
}
