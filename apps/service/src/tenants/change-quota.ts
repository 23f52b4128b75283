import type { SetTenantQuotaInput } from "@stowage/operator-schemas";
import { and, eq } from "drizzle-orm";
import type { ProjectCaller } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import { tenants } from "#db/schema/index.js";
import { lockProject } from "#projects/lock-project.js";
import { setQuota, type SetQuotaDeps } from "./set-quota.js";
import type { TenantRecord } from "./tenant-record.js";

/**
 * Sets a tenant's quota. The audit entry has the old and the new quota.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export function changeQuota(
  deps: SetQuotaDeps,
  caller: ProjectCaller,
  { tenantId, quotaBytes }: SetTenantQuotaInput,
): Promise<TenantRecord> {
  return auditedTransaction(deps, caller, async (deps, tx) => {
    const projectId = caller.project.id;
    await lockProject(tx, caller.project);
    // Locks the tenant, because the customer's backend may set the quota at the same time.
    const [before] = await tx
      .select({ quotaBytes: tenants.quotaBytes })
      .from(tenants)
      .where(and(eq(tenants.projectId, projectId), eq(tenants.tenantId, tenantId)))
      .for("no key update");
    const result = await setQuota(deps, caller.project, { tenantId, quotaBytes });
    const details = { tenantId, quotaBytes_before: before?.quotaBytes ?? null, quotaBytes };
    return { result, entry: { action: "tenant.quota_changed", projectId, details } };
  });
}
