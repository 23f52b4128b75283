import type { Database } from "#db/client.js";

/** The usage of a project: the sums over its tenants. */
export interface ProjectUsage {
  ref: string;
  name: string;
  tenantCount: number;
  fileCount: number;
  usedBytes: number;
  reservedBytes: number;
}

const SUMS = `
select projects.ref, projects.name, count(tenants.id)::integer as "tenantCount",
       coalesce(sum(file_count), 0)::bigint as "fileCount",
       coalesce(sum(used_bytes), 0)::bigint as "usedBytes",
       coalesce(sum(reserved_bytes), 0)::bigint as "reservedBytes"
from projects left join tenants on tenants.project_id = projects.id
where projects.deleted_at is null
group by projects.id order by projects.id`;

/**
 * Sums the usage of every project, oldest project first.
 *
 * @throws {StowageError} `unavailable`
 */
export function sumUsage(deps: { db: Database }): Promise<ProjectUsage[]> {
  return deps.db.execute<ProjectUsage>(SUMS, []);
}
