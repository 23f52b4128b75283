import { sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { projects, projectUsageDaily, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";

/** What a project holds now. */
export interface Overview {
  usedBytes: number;
  reservedBytes: number;
  fileCount: number;
  tenantCount: number;
  /** Tenants that may not upload another byte. */
  tenantsOverQuota: number;
  /** Of each tenant that has no quota of its own; null for no quota. */
  defaultQuotaBytes: number | null;
  /** Whether it ever had a stored file: until then its page shows how to begin. */
  hasFiles: boolean;
}

/**
 * The sums over a project's tenants. They are added up at each call: that is quick for 100,000 tenants, while an index
 * that had the counters in it would make each request for an upload write to it.
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
             count(*) filter (where t.used_bytes + t.reserved_bytes >= coalesce(t.quota_bytes, p.quota)) as "tenantsOverQuota",
             max(p.quota) as "defaultQuotaBytes",
             exists (select from ${projectUsageDaily} d where d.project_id = ${project.id}::bigint) as "hasFiles"
      from (select id, coalesce(default_quota_bytes, ${deps.defaultQuotaBytes}::bigint) as quota
            from ${projects} where id = ${project.id}::bigint) p
      left join ${tenants} t on t.project_id = p.id`),
  );
  return row!;
}
