/**
 * Admits one upload with one statement. The service did this before it batched uploads. The benchmark uses it as the lower bound of
 * PostgreSQL's work for one upload.
 */
export const ONE_STATEMENT = `
with project as (
  select id, ref, max_file_bytes, require_size, coalesce(default_quota_bytes, $11::bigint) as quota_bytes
  from projects where api_key_hash = $1
), allowed as (
  select * from project
  where case when $7::bigint is null then not require_size else $7::bigint <= max_file_bytes end
), tenant as (
  insert into tenants as t (project_id, tenant_id, ref, reserved_bytes, created_at)
  select id, $2, $3, coalesce($7::bigint, 0), $9::timestamptz
  from allowed
  where quota_bytes is null
     or case when $7::bigint is null then quota_bytes > 0 else $7::bigint <= quota_bytes end
     or exists (select from tenants e where e.project_id = allowed.id and e.tenant_id = $2)
  on conflict (project_id, tenant_id) do update
    set reserved_bytes = t.reserved_bytes + excluded.reserved_bytes, ref = coalesce(t.ref, excluded.ref)
    where coalesce(t.quota_bytes, (select quota_bytes from project)) is null
       or case when $7::bigint is null
            then t.used_bytes + t.reserved_bytes < coalesce(t.quota_bytes, (select quota_bytes from project))
            else t.used_bytes + t.reserved_bytes + $7::bigint <= coalesce(t.quota_bytes, (select quota_bytes from project))
          end
  returning project_id, id, ref
), file as (
  insert into files (project_id, tenant, path, filename, content_type, declared_size, reserved_bytes, metadata,
                     created_at, url_expires_at, next_check_at)
  select tenant.project_id, tenant.id, 'projects/' || project.ref || '/tenants/' || tenant.ref || '/' || $4::text,
         $5, $6, $7::bigint, coalesce($7::bigint, 0), $8::text::jsonb, $9::timestamptz, $10::timestamptz, $12::timestamptz
  from project, tenant
  returning path
)
select project.max_file_bytes as "maxFileBytes", project.require_size as "requireSize",
       tenant.ref as "tenantRef", file.path as "path"
from project left join tenant on true left join file on true`;
