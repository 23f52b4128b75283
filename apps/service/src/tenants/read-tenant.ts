import { StowageError } from "@stowage/schemas";
import { and, eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { projects, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { quotaInForce } from "./quota-in-force.js";
import { tenantColumns, type TenantRecord, toTenantRecord } from "./tenant-record.js";

export interface SeenTenant extends TenantRecord {
  /** The quota that it has without one of its own: the project's or the service's; null for none. */
  defaultQuotaBytes: number | null;
}

/**
 * One tenant, for people: a name that nobody has uploaded under, or set a quota for, is most likely a slip.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export async function readTenant(
  deps: { db: Queries; defaultQuotaBytes: number | null },
  project: Project,
  { tenantId }: { tenantId: string },
): Promise<SeenTenant> {
  const [row] = await deps.db.run((db) =>
    db
      .select(tenantColumns)
      .from(tenants)
      .innerJoin(projects, eq(projects.id, tenants.projectId))
      .where(and(eq(tenants.projectId, project.id), eq(tenants.tenantId, tenantId))),
  );
  if (!row) throw new StowageError("not_found", { detail: "Tenant not found" });
  const service = deps.defaultQuotaBytes;
  const byDefault = quotaInForce({ tenant: null, project: row.projectQuota, service });
  return { ...toTenantRecord(row, service), defaultQuotaBytes: byDefault.quotaBytes };
}
