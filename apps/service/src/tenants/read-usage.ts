import type { UsageQuery } from "@stowage/schemas";
import { and, eq, sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { IS_READY_VARIANT } from "#db/schema/conditions.js";
import { fileVariants, plans, projects, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { showLimits } from "#projects/merge-limits.js";
import {
  limitColumns,
  limitsOf,
  planOf,
  quotaOf,
  type ServiceLimits,
  type ShownLimits,
} from "./tenant-record.js";

export interface Usage extends ShownLimits {
  usedBytes: number;
  reservedBytes: number;
  fileCount: number;
  quotaBytes: number | null;
  /** Only of a whole project. */
  variantBytes?: number;
}

export interface ReadUsageDeps extends ServiceLimits {
  db: Queries;
}

/**
 * Reads the usage of one tenant, or of the whole project. A tenant is created by its first upload. An unknown tenant is therefore
 * no error: it uses nothing and has the limits that will apply, so a customer's page can show "0 of 5 GB" to a new user. This
 * reveals nothing about other projects, because a tenant_id is only looked up in this one.
 *
 * @throws {StowageError} `unavailable`
 */
export async function readUsage(deps: ReadUsageDeps, project: Project, query: UsageQuery): Promise<Usage> {
  return query.tenantId === undefined
    ? readProjectUsage(deps, project)
    : readTenantUsage(deps, project, query.tenantId);
}

/** Only tenants have a quota and limits, the project as a whole has none. The sums are over the tenants' counters, not over files. */
async function readProjectUsage(deps: ReadUsageDeps, project: Project): Promise<Usage> {
  const total = (column: unknown) => sql<number>`coalesce(sum(${column}), 0)`.mapWith(Number);
  const [sums] = await deps.db.run((db) =>
    db
      .select({
        usedBytes: total(tenants.usedBytes),
        reservedBytes: total(tenants.reservedBytes),
        fileCount: total(tenants.fileCount),
      })
      .from(tenants)
      .where(eq(tenants.projectId, project.id)),
  );
  const unlimited = { quotaBytes: null, plan: null, ...showLimits(null) };
  return { ...sums!, ...unlimited, variantBytes: await sumVariants(deps, project) };
}

/** By an index that has all that it needs. */
async function sumVariants(deps: ReadUsageDeps, project: Project): Promise<number> {
  const [row] = await deps.db.run((db) =>
    db
      .select({ bytes: sql<number>`coalesce(sum(${fileVariants.size}), 0)`.mapWith(Number) })
      .from(fileVariants)
      .where(and(eq(fileVariants.projectId, project.id), sql.raw(IS_READY_VARIANT))),
  );
  return row!.bytes;
}

async function readTenantUsage(deps: ReadUsageDeps, project: Project, tenantId: string): Promise<Usage> {
  const [row] = await deps.db.run((db) =>
    db
      .select({
        usedBytes: tenants.usedBytes,
        reservedBytes: tenants.reservedBytes,
        fileCount: tenants.fileCount,
        ...limitColumns,
      })
      .from(projects)
      .leftJoin(tenants, and(eq(tenants.projectId, projects.id), eq(tenants.tenantId, tenantId)))
      .leftJoin(plans, planOf)
      .where(eq(projects.id, project.id)),
  );
  return {
    usedBytes: row!.usedBytes ?? 0,
    reservedBytes: row!.reservedBytes ?? 0,
    fileCount: row!.fileCount ?? 0,
    quotaBytes: quotaOf(row!, deps).quotaBytes,
    ...limitsOf(row!, deps),
  };
}
