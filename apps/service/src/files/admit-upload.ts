import type { Queries } from "#db/client.js";

/** Where an upload goes: into the project of a key, or into one that is known already. */
export type Into = { apiKeyHash: string } | { projectId: number };

/** One upload that asks to be let in. */
export interface Admission {
  into: Into;
  tenantId: string;
  /** The ref that the tenant gets if this request is the one that makes it. */
  newTenantRef: string;
  /** The last segment of the path: `<prefix>_<name>`. */
  objectName: string;
  filename: string;
  contentType: string;
  sizeBytes: number | null;
  metadata: Record<string, string>;
  now: Date;
  urlExpiresAt: Date;
  /** When the sweeper looks for the bytes. */
  nextLookAt: Date;
  /** Bytes each tenant may use when neither it nor its project says otherwise; null for no quota. */
  defaultQuotaBytes: number | null;
}

export type AdmissionResult =
  | { outcome: "unknown_project" }
  | { outcome: "size_required" }
  | { outcome: "file_too_large"; maxFileBytes: number }
  | { outcome: "quota_exceeded" }
  | { outcome: "admitted"; path: string; isNewTenant: boolean; maxFileBytes: number };

interface Row {
  maxFileBytes: number;
  requireSize: boolean;
  tenantRef: string | null;
  path: string | null;
}

/*
 * Project, tenant, quota, reservation and file row in one statement: one round trip, one commit, nothing to undo.
 *
 * - `project` is read on the primary at every request: a regenerated key is dead as soon as its UPDATE commits.
 * - `allowed` is empty when the project's own rules refuse the size, and then nothing below it writes.
 * - `tenant` inserts or, when the tenant exists, takes its row lock and judges the quota on the row as it is *then*: that
 *   is what makes 200 requests at once admit exactly as many as fit. A new tenant is judged before it is made, so a
 *   refused request leaves nothing behind. Returning no row means: over the quota.
 * - The returned ref equals the offered one for exactly the request that made the tenant. A tenant whose quota was set before
 *   its first upload has no ref yet, and gets this one.
 */
const admitInto = (project: "api_key_hash = $1" | "id = $1 and deleted_at is null") => `
with project as (
  select id, ref, max_file_bytes, require_size, coalesce(default_quota_bytes, $11::bigint) as quota_bytes
  from projects where ${project}
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
                     created_at, url_expires_at, next_look_at)
  select tenant.project_id, tenant.id, 'projects/' || project.ref || '/tenants/' || tenant.ref || '/' || $4::text,
         $5, $6, $7::bigint, coalesce($7::bigint, 0), $8::text::jsonb, $9::timestamptz, $10::timestamptz, $12::timestamptz
  from project, tenant
  returning path
)
select project.max_file_bytes as "maxFileBytes", project.require_size as "requireSize",
       tenant.ref as "tenantRef", file.path as "path"
from project left join tenant on true left join file on true`;

const BY_KEY = admitInto("api_key_hash = $1");
// A deleted project has no key any more, but its id it has until it is empty.
const BY_ID = admitInto("id = $1 and deleted_at is null");

/**
 * Lets one upload in or says why not, in one SQL statement.
 *
 * @throws {StowageError} `unavailable`
 */
export async function admitUpload(db: Queries, upload: Admission): Promise<AdmissionResult> {
  const { into } = upload;
  const [statement, project] =
    "apiKeyHash" in into ? ([BY_KEY, into.apiKeyHash] as const) : ([BY_ID, into.projectId] as const);
  const [row] = await db.execute<Row>(statement, [
    project,
    upload.tenantId,
    upload.newTenantRef,
    upload.objectName,
    upload.filename,
    upload.contentType,
    upload.sizeBytes,
    JSON.stringify(upload.metadata),
    upload.now.toISOString(),
    upload.urlExpiresAt.toISOString(),
    upload.defaultQuotaBytes,
    upload.nextLookAt.toISOString(),
  ]);
  if (!row) return { outcome: "unknown_project" };
  const { maxFileBytes, requireSize, tenantRef, path } = row;
  if (tenantRef !== null && path !== null) {
    return { outcome: "admitted", path, isNewTenant: tenantRef === upload.newTenantRef, maxFileBytes };
  }
  if (upload.sizeBytes === null && requireSize) return { outcome: "size_required" };
  if (upload.sizeBytes !== null && upload.sizeBytes > maxFileBytes)
    return { outcome: "file_too_large", maxFileBytes };
  return { outcome: "quota_exceeded" };
}
