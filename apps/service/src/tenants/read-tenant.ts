import { StowageError } from "@stowage/schemas";
import { and, eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { plans, projects, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import {
  planOf,
  quotaOf,
  type ServiceLimits,
  tenantColumns,
  type TenantRecord,
  toTenantRecord,
} from "./tenant-record.js";

export interface TenantDetails extends TenantRecord {
  /** The quota that applies without the tenant's own: its plan's, the project's or the service's; null for none. */
  defaultQuotaBytes: number | null;
}

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
  const byDefault = quotaOf({ ...row, ownQuota: null }, deps);
  return { ...toTenantRecord(row, deps), defaultQuotaBytes: byDefault.quotaBytes };
}
