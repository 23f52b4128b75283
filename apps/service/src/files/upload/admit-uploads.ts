import type { Queries } from "#db/client.js";
import type { Admission, AdmissionResult } from "./admission.js";

/** What a statement says of an upload; `again` when it takes another look to tell. */
export type Verdict = AdmissionResult | { outcome: "again" };

interface Row {
  number: number;
  outcome: Verdict["outcome"];
  maxFileBytes: number;
  tenantRef: string | null;
  path: string | null;
}

/*
 * Project, tenant, quota, reservation and file row of some uploads in one statement: one round trip, one commit, nothing to
 * undo.
 *
 * - `opened` reads the projects on the primary at every request: a regenerated key is dead as soon as its UPDATE commits.
 *   Like `found` it looks up one by one, because for a hundred that it knows nothing of PostgreSQL would read whole tables.
 * - `allowed` leaves out what the project's own rules refuse.
 * - `known` locks the tenants that are there already, by id as everybody does who locks several, and reads them as they are
 *   *then*: that is what makes 200 requests at once admit exactly as many as fit.
 * - `judged` lets in whatever fits beside all that came before it in the same statement. What does not is refused for certain
 *   when it does not fit beside those that were let in (`taken`) either; else something larger stood in its way, and it is
 *   to ask again.
 * - `made` makes the others. Where somebody else does so at this moment nothing is written, and the uploads ask again.
 * - The ref that a new tenant gets is one of those offered: its upload is the one that made the tenant. A tenant whose
 *   quota was set before its first upload has no ref yet, and gets one here.
 * - An upload without a size reserves nothing, and fits where a byte would.
 */
const admitInto = (project: string) => `
with asked as (
  select * from json_to_recordset($1::text::json) as asked (
    number int, place text, tenant_id text, new_ref text, object_name text, filename text, content_type text, size bigint,
    metadata jsonb, at timestamptz, url_expires_at timestamptz, next_look_at timestamptz)
), opened as (
  select asked.*, project.* from asked cross join lateral (
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
), made as (
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
  select * from made union all select * from grown
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
            else 'again' end as "outcome"
from opened left join judged using (number)
     left join counted on counted.project_id = judged.project_id and counted.tenant_id = judged.tenant_id`;

const BY_KEY = admitInto(`api_key_hash = asked.place`);
// A deleted project has no key any more, but its id it has until it is empty.
const BY_ID = admitInto(`id = asked.place::bigint and deleted_at is null`);

/**
 * Lets uploads in or says why not, all of them in one SQL statement.
 *
 * @param uploads all by keys, or all by projects
 * @returns a verdict for each, in their order
 * @throws {StowageError} `unavailable`
 */
export async function admitUploads(db: Queries, uploads: Admission[]): Promise<Verdict[]> {
  const [first] = uploads;
  if (!first) return [];
  const rows = await db.execute<Row>("apiKeyHash" in first.into ? BY_KEY : BY_ID, [
    JSON.stringify(uploads.map(toColumns)),
    first.defaultQuotaBytes,
  ]);
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return uploads.map((upload, number) => toVerdict(upload, byNumber.get(number)));
}

function toColumns(upload: Admission, number: number) {
  return {
    number,
    place: "apiKeyHash" in upload.into ? upload.into.apiKeyHash : String(upload.into.projectId),
    tenant_id: upload.tenantId,
    new_ref: upload.newTenantRef,
    object_name: upload.objectName,
    filename: upload.filename,
    content_type: upload.contentType,
    size: upload.sizeBytes,
    metadata: upload.metadata,
    at: upload.now,
    url_expires_at: upload.urlExpiresAt,
    next_look_at: upload.nextLookAt,
  };
}

function toVerdict(upload: Admission, row: Row | undefined): Verdict {
  if (!row) return { outcome: "unknown_project" };
  const { outcome, maxFileBytes, tenantRef, path } = row;
  if (outcome === "file_too_large") return { outcome, maxFileBytes };
  if (outcome !== "admitted") return { outcome };
  return { outcome, path: path!, isNewTenant: tenantRef === upload.newTenantRef, maxFileBytes };
}
