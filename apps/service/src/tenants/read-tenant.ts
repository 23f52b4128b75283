import { StowageError } from "@stowage/schemas";
import { and, eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { plans, projects, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { showLimits } from "#projects/merge-limits.js";
import {
  limitsOf,
  planOf,
  quotaOf,
  type ServiceLimits,
  type ShownLimits,
  tenantColumns,
  type TenantRecord,
  toTenantRecord,
} from "./tenant-record.js";

export interface TenantDetails extends TenantRecord {
  /** What the tenant sets itself; null for what its plan, the project or the service decides. */
  own: TenantLimits;
  /** What applies where neither the tenant nor a plan decides; null for no limit. */
  defaults: TenantLimits;
}

type TenantLimits = Omit<ShownLimits, "plan"> & { quotaBytes: number | null };

/**
 * Reads one tenant for the dashboard. Unlike in readUsage, an unknown tenant is an error: an operator has most likely mistyped it.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export async function readTenant(
  deps: { db: Queries } & ServiceLimits,
  project: Project,
  { tenantId }: { tenantId: string },
): Promise<TenantDetails> {
  const [row] = await deps.db.run((db) =>
    db
      .select(tenantColumns)
      .from(tenants)
      .innerJoin(projects, eq(projects.id, tenants.projectId))
      .leftJoin(plans, planOf)
      .where(and(eq(tenants.projectId, project.id), eq(tenants.tenantId, tenantId))),
  );
  if (!row) throw new StowageError("tenant_not_found");
  const inherited = { ...row, ownQuota: null, planQuota: null, plan: null, limits: null, planLimits: null };
  const { plan: _, ...counts } = limitsOf(inherited, deps);
  return {
    ...toTenantRecord(row, deps),
    own: { quotaBytes: row.ownQuota, ...showLimits(row.limits) },
    defaults: { quotaBytes: quotaOf(inherited, deps).quotaBytes, ...counts },
  };
}
