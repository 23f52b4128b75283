/*
 * Finds the project, finds or creates the tenant, checks the quota, reserves the bytes and inserts the file row, for a batch of
 * uploads in one statement: one round trip, one commit, nothing to undo. Its parts:
 *
 * - `requested` is the batch. Every later part refers to an upload by its `number`.
 * - `opened` reads the projects on the primary for every request, so a regenerated key stops working as soon as its UPDATE commits.
 *   Like `found` it uses one LATERAL look-up per row: PostgreSQL assumes a hundred rows of JSON, and would read whole tables to
 *   join them.
 * - `allowed` leaves out uploads that break the project's own rules.
 * - `known` locks the existing tenants and reads their counters after it has the lock. This is what lets 200 concurrent requests
 *   admit exactly as many uploads as fit. All statements that lock several tenants lock them in the order of their ids.
 * - `judged` admits an upload if it fits beside all earlier uploads of the same batch. An upload that does not fit there is refused
 *   only if it does not fit beside the admitted ones either (`taken`). Otherwise a larger upload was in the way: `retry`.
 * - `created` inserts the other tenants. If a concurrent statement inserts the same tenant, nothing is written: `retry`.
 * - A new tenant gets the ref that one of its uploads offered; that upload is the one that created the tenant. A tenant whose quota
 *   was set before its first upload has no ref yet, and gets one in `grown`.
 * - An upload without a declared size reserves nothing. It is admitted if at least one byte of quota is free.
 */
const admitInto = (project: string) => `
with requested as (
  select * from json_to_recordset($1::text::json) as requested (
    number int, target text, tenant_id text, new_ref text, object_name text, filename text, content_type text, size bigint,
    metadata jsonb, at timestamptz, url_expires_at timestamptz, next_look_at timestamptz)
), opened as (
  select requested.*, project.* from requested cross join lateral (
    select id as project_id, ref as project_ref, max_file_bytes, require_size,
           coalesce(default_quota_bytes, $2::bigint) as default_quota
    from projects where ${project} limit 1) project
), allowed as (
  select *, coalesce(size, 0) as bytes, coalesce(size, 1) as needed from opened
  where case when size is null then not require_size else size <= max_file_bytes end
), found as (
  select project_id, tenant.id
  from (select distinct project_id, tenant_id from allowed) named cross join lateral (
    select id from tenants where project_id = named.project_id and tenant_id = named.tenant_id limit 1) tenant
  order by project_id, tenant.id
), known as (
  select tenant.* from found cross join lateral (
    select project_id, tenant_id, id as tenant, quota_bytes, used_bytes + reserved_bytes as taken
    from tenants where project_id = found.project_id and id = found.id for update) tenant
), judged as (
  select *, coalesce(quota_bytes, default_quota) as quota,
         coalesce(quota_bytes, default_quota) is null
           or coalesce(taken, 0) + coalesce(sum(bytes) over earlier, 0) + needed <= coalesce(quota_bytes, default_quota) as fits
  from allowed left join known using (project_id, tenant_id)
  window earlier as (partition by project_id, tenant_id order by number rows between unbounded preceding and 1 preceding)
), reserved as (
  select project_id, tenant_id, tenant, sum(bytes)::bigint as bytes, min(new_ref) as new_ref, min(at) as at
  from judged where fits group by project_id, tenant_id, tenant
), created as (
  insert into tenants (project_id, tenant_id, ref, reserved_bytes, created_at)
  select project_id, tenant_id, new_ref, bytes, at from reserved
  where tenant is null order by project_id, tenant_id
  on conflict (project_id, tenant_id) do nothing
  returning project_id, tenant_id, id as tenant, ref, reserved_bytes as taken
), grown as (
  update tenants set reserved_bytes = reserved_bytes + reserved.bytes, ref = coalesce(ref, new_ref)
  from reserved where tenants.project_id = reserved.project_id and id = tenant
  returning tenants.project_id, tenants.tenant_id, id, ref, used_bytes + reserved_bytes as taken
), counted as (
  select * from created union all select * from grown
), file as (
  insert into files (project_id, tenant, path, filename, content_type, declared_size, reserved_bytes, metadata,
                     created_at, url_expires_at, next_look_at)
  select project_id, counted.tenant, 'projects/' || project_ref || '/tenants/' || ref || '/' || object_name,
         filename, content_type, size, bytes, metadata, judged.at, url_expires_at, next_look_at
  from judged join counted using (project_id, tenant_id) where fits
)
select opened.number, opened.max_file_bytes as "maxFileBytes", counted.ref as "tenantRef",
       'projects/' || opened.project_ref || '/tenants/' || counted.ref || '/' || opened.object_name as "path",
       case when judged.number is null and opened.size is null then 'size_required'
            when judged.number is null then 'file_too_large'
            when fits and counted.tenant is not null then 'admitted'
            when not fits and coalesce(counted.taken, judged.taken, 0) + needed > quota then 'quota_exceeded'
            else 'retry' end as "outcome"
from opened left join judged using (number)
     left join counted on counted.project_id = judged.project_id and counted.tenant_id = judged.tenant_id`;

export const ADMIT_BY_API_KEY = admitInto(`api_key_hash = requested.target`);
// A deleted project has no key, but keeps its id until it is purged.
export const ADMIT_BY_PROJECT_ID = admitInto(`id = requested.target::bigint and deleted_at is null`);
