import type { SetLimitsRequest } from "@stowage/schemas";
import { and, eq } from "drizzle-orm";
import type { ProjectActor } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import { tenants } from "#db/schema/index.js";
import { lockProject } from "#projects/lock-project.js";
import { showLimits } from "#projects/merge-limits.js";
import { setLimits, type SetLimitsDeps } from "./set-limits.js";
import type { TenantRecord } from "./tenant-record.js";

/**
 * Sets a tenant's limits. The audit entry has the old and the new value of each one that changes.
 *
 * @throws {StowageError} `invalid_request`, `not_found`, `plan_not_found`, `unavailable`
 */
export function changeLimits(
  deps: SetLimitsDeps,
  caller: ProjectActor,
  { tenantId, quotaBytes, plan, maxFiles, maxOpenUploads, uploadsPerMinute }: SetLimitsRequest,
): Promise<TenantRecord> {
  const change = { quotaBytes, plan, maxFiles, maxOpenUploads, uploadsPerMinute };
  return auditedTransaction(deps, caller, async (deps, tx) => {
    const projectId = caller.project.id;
    await lockProject(tx, caller.project);
    // Locks the tenant, because the customer's backend may set its limits at the same time.
    const [row] = await tx
      .select({ quotaBytes: tenants.quotaBytes, plan: tenants.plan, limits: tenants.limits })
      .from(tenants)
      .where(and(eq(tenants.projectId, projectId), eq(tenants.tenantId, tenantId)))
      .for("no key update");
    const result = await setLimits(deps, caller.project, { tenantId, ...change });
    const before = { quotaBytes: row?.quotaBytes, plan: row?.plan, ...showLimits(row?.limits ?? null) };
    const details: Record<string, string | number | null> = { tenantId };
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) continue;
      details[`${name}_before`] = before[name as keyof typeof before] ?? null;
      details[name] = value;
    }
    const onlyQuota = Object.keys(details).length === 3 && "quotaBytes" in details;
    const action = onlyQuota ? "tenant.quota_changed" : "tenant.limits_changed";
    return { result, entry: { action, projectId, details } };
  });
}
