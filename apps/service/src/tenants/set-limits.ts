import { type SetLimitsRequest, StowageError } from "@stowage/schemas";
import { and, eq, isNotNull, type SQL } from "drizzle-orm";
import type { Queries, Transaction } from "#db/client.js";
import { plans, projects, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { mergeLimits } from "#projects/merge-limits.js";
import { clearQuotas } from "#outbox/emit-events.js";
import {
  limitColumns,
  planOf,
  quotaOf,
  type ServiceLimits,
  tenantColumns,
  type TenantRecord,
  toTenantRecord,
} from "./tenant-record.js";

export interface SetLimitsDeps extends ServiceLimits {
  db: Queries;
  clock: () => Date;
}

/**
 * Sets limits of a tenant, or its plan. A limit below what the tenant has deletes no file and only refuses further uploads. Limits may be
 * set before the tenant's first upload, which still reports a new tenant: until then the tenant's row has no ref (see
 * db/functions/judge_uploads.sql).
 *
 * @throws {StowageError} `invalid_request` for an empty change; `plan_not_found`, `unavailable`
 */
export async function setLimits(
  deps: SetLimitsDeps,
  project: Project,
  { tenantId, quotaBytes, plan, ...change }: SetLimitsRequest,
): Promise<TenantRecord> {
  requireChange({ quotaBytes, plan, ...change });
  const [row] = await deps.db.run((db) =>
    db.transaction(async (tx) => {
      if (typeof plan === "string") await keepPlan(tx, project, plan);
      const isTenant = and(eq(tenants.projectId, project.id), eq(tenants.tenantId, tenantId));
      await tx
        .insert(tenants)
        .values({ projectId: project.id, tenantId, createdAt: deps.clock() })
        .onConflictDoNothing({ target: [tenants.projectId, tenants.tenantId] });
      await tx
        .update(tenants)
        .set({
          limits: mergeLimits(tenants.limits, change),
          ...(quotaBytes !== undefined && { quotaBytes }),
          ...(plan !== undefined && { plan }),
        })
        .where(isTenant);
      await tellClearedQuota(tx, deps, project, isTenant);
      return tx
        .select(tenantColumns)
        .from(tenants)
        .innerJoin(projects, eq(projects.id, tenants.projectId))
        .leftJoin(plans, planOf)
        .where(isTenant);
    }),
  );
  return toTenantRecord(row!, deps);
}

/** @throws {StowageError} `invalid_request` if nothing is to be changed */
function requireChange(change: object): void {
  if (Object.values(change).every((value) => value === undefined))
    throw new StowageError("invalid_request", { detail: "Say which limits to change" });
}

/**
 * Locks a plan that a tenant gets, so that it is not deleted meanwhile.
 *
 * @throws {StowageError} `plan_not_found`
 */
async function keepPlan(tx: Transaction, project: Project, name: string): Promise<void> {
  const found = await tx
    .select({ name: plans.name })
    .from(plans)
    .where(and(eq(plans.projectId, project.id), eq(plans.name, name)))
    .for("key share");
  if (found.length === 0) throw new StowageError("plan_not_found");
}

/** If webhooks told that the tenant had reached its quota, compares it with the new one. */
async function tellClearedQuota(
  tx: Transaction,
  deps: SetLimitsDeps,
  project: Project,
  isTenant: SQL | undefined,
): Promise<void> {
  const isWaiting = and(isTenant, isNotNull(tenants.quotaNeedsBytes));
  const [row] = await tx
    .select({ id: tenants.id, ...limitColumns })
    .from(tenants)
    .innerJoin(projects, eq(projects.id, tenants.projectId))
    .leftJoin(plans, planOf)
    .where(isWaiting);
  if (!row) return;
  await tx
    .update(tenants)
    .set({ quotaReachedBytes: quotaOf(row, deps).quotaBytes })
    .where(isWaiting);
  await clearQuotas(tx, { projectId: project.id, at: deps.clock() }, [row.id]);
}
