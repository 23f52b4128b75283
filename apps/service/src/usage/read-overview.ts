import { sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { plans, projects, projectUsageDaily, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";

/** A project's current usage. */
export interface Overview {
  usedBytes: number;
  reservedBytes: number;
  fileCount: number;
  tenantCount: number;
  /** Tenants whose quota has no free byte. */
  tenantsOverQuota: number;
  /** The quota of a tenant without its own quota; null for no quota. */
  defaultQuotaBytes: number | null;
  /** Whether the project has ever had a stored file. Until then its page shows how to start. */
  hasFiles: boolean;
}

/**
 * Reads the sums over a project's tenants. They are added up for each call, which is fast enough for 100,000 tenants. An index that
 * contains the counters would be faster here, but every upload would have to update it.
 *
 * @throws {StowageError} `unavailable`
 */
export async function readOverview(
  deps: { db: Queries; defaultQuotaBytes: number | null },
  project: Project,
): Promise<Overview> {
  const [row] = await deps.db.run((db) =>
    db.execute<Overview & Record<string, unknown>>(sql`
      select coalesce(sum(t.used_bytes), 0)::bigint as "usedBytes",
             coalesce(sum(t.reserved_bytes), 0)::bigint as "reservedBytes",
             coalesce(sum(t.file_count), 0)::bigint as "fileCount", count(t.id) as "tenantCount",
             count(*) filter (
               where not fits_quota(null, t.used_bytes + t.reserved_bytes, quota_of(t.quota_bytes, n.quota_bytes, p.quota))
             ) as "tenantsOverQuota",
             max(p.quota) as "defaultQuotaBytes",
             exists (select from ${projectUsageDaily} d where d.project_id = ${project.id}::bigint) as "hasFiles"
      from (select id, quota_of(null, default_quota_bytes, ${deps.defaultQuotaBytes}::bigint) as quota
            from ${projects} where id = ${project.id}::bigint) p
      left join ${tenants} t on t.project_id = p.id
      left join ${plans} n on n.project_id = t.project_id and n.name = t.plan`),
  );
  return row!;
}
