import type { SetTenantQuotaInput } from "@stowage/schemas/dashboard";
import { and, eq } from "drizzle-orm";
import { audited } from "#audit/audited.js";
import type { Caller } from "#audit/caller.js";
import { tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { setQuota, type SetQuotaDeps } from "#tenants/set-quota.js";
import type { TenantRecord } from "#tenants/tenant-record.js";
import { lockProject } from "./lock-project.js";

/**
 * Sets a tenant's quota as a customer's backend may; the audit log has the tenant's own quota from before beside the new one.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export function changeQuota(
  deps: SetQuotaDeps,
  by: Caller & { project: Project },
  { tenantId, quotaBytes }: SetTenantQuotaInput,
): Promise<TenantRecord> {
  return audited(deps, by, async (deps, tx) => {
    const projectId = by.project.id;
    await lockProject(tx, by.project);
    // Locked, since a customer's backend may set it at the same moment.
    const [before] = await tx
      .select({ quotaBytes: tenants.quotaBytes })
      .from(tenants)
      .where(and(eq(tenants.projectId, projectId), eq(tenants.tenantId, tenantId)))
      .for("no key update");
    const result = await setQuota(deps, by.project, { tenantId, quotaBytes });
    const details = { tenantId, quotaBytes_before: before?.quotaBytes ?? null, quotaBytes };
    return { result, entry: { action: "tenant.quota_changed", projectId, details } };
  });
}
