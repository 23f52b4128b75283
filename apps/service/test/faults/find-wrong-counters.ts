import type { Sql } from "postgres";

/**
 * Recounts every counter of all projects from the rows of the files: of tenants, of the tenants' days, and of the projects' days.
 *
 * @returns one line for each counter that is wrong
 */
export async function findWrongCounters(sql: Sql): Promise<string[]> {
  const tenants = await sql`
    select * from (
      select t.project_id as project, t.tenant_id as tenant, t.used_bytes as used, t.reserved_bytes as reserved,
             t.file_count as files, coalesce(f.used, 0) as used_in_rows, coalesce(f.reserved, 0) - coalesce(r.lent, 0) as reserved_in_rows,
             coalesce(f.files, 0) as files_in_rows, coalesce(d.bytes, 0) as bytes_in_days, coalesce(d.files, 0) as files_in_days
      from tenants t
      left join (
        select project_id, tenant, sum(size) filter (where status in ('stored', 'trashed')) as used,
               sum(reserved_bytes) as reserved, count(*) filter (where status in ('stored', 'trashed')) as files
        from files group by 1, 2) f on f.project_id = t.project_id and f.tenant = t.id
      left join (
        select project_id, tenant, sum(credit_bytes) as lent
        from replacements group by 1, 2) r on r.project_id = t.project_id and r.tenant = t.id
      left join (
        select project_id, tenant, sum(uploaded_bytes - deleted_bytes) as bytes, sum(uploads - deleted_files) as files
        from usage_daily group by 1, 2) d on d.project_id = t.project_id and d.tenant = t.id) counted
    where (used, reserved, files) <> (used_in_rows, reserved_in_rows, files_in_rows)
       or (bytes_in_days, files_in_days) <> (used_in_rows, files_in_rows)`;
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
