import { type DeletePlanRequest, limits, type SetPlanRequest, StowageError } from "@stowage/schemas";
import { and, asc, eq } from "drizzle-orm";
import type { ProjectActor } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import { plans, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { lockProject } from "#projects/lock-project.js";
import { mergeLimits, showLimits } from "#projects/merge-limits.js";
import type { ShownLimits } from "./tenant-record.js";

/** A named set of limits. Null: the plan does not set it. */
export interface PlanRecord extends Omit<ShownLimits, "plan"> {
  name: string;
  quotaBytes: number | null;
}

interface ManagePlansDeps {
  db: Queries;
  clock: () => Date;
}

/** Lists the plans of a project by their names. @throws {StowageError} `unavailable` */
export async function listPlans(deps: { db: Queries }, project: Project): Promise<PlanRecord[]> {
  const rows = await deps.db.run((db) =>
    db.select().from(plans).where(eq(plans.projectId, project.id)).orderBy(asc(plans.name)),
  );
  return rows.map(toRecord);
}

/**
 * Creates a plan, or changes the one of this name. The new limits apply to the next upload of each tenant that has the plan. Members that
 * are left out stay as they are.
 *
 * @throws {StowageError} `invalid_request` for a plan too many; `not_found`, `unavailable`
 */
export function setPlan(
  deps: ManagePlansDeps,
  actor: ProjectActor,
  { name, quotaBytes, ...change }: SetPlanRequest,
): Promise<PlanRecord> {
  const { project } = actor;
  return auditedTransaction(deps, actor, async (_, tx) => {
    await lockProject(tx, project);
    const all = await tx.select().from(plans).where(eq(plans.projectId, project.id));
    const before = all.find((plan) => plan.name === name);
    if (!before && all.length >= limits.plans)
      throw new StowageError("invalid_request", {
        detail: `A project can have at most ${limits.plans} plans`,
      });
    if (!before) await tx.insert(plans).values({ projectId: project.id, name });
    const [row] = await tx
      .update(plans)
      .set({ limits: mergeLimits(plans.limits, change), ...(quotaBytes !== undefined && { quotaBytes }) })
      .where(isPlan(project, name))
      .returning();
    const result = toRecord(row!);
    const action = before ? "plan.changed" : "plan.created";
    return { result, entry: { action, projectId: project.id, details: { ...result } } };
  });
}

/**
 * Deletes a plan that no tenant has.
 *
 * @throws {StowageError} `plan_not_found`, `plan_in_use`, `not_found`, `unavailable`
 */
export function deletePlan(
  deps: ManagePlansDeps,
  actor: ProjectActor,
  { name }: DeletePlanRequest,
): Promise<PlanRecord> {
  const { project } = actor;
  return auditedTransaction(deps, actor, async (_, tx) => {
    await lockProject(tx, project);
    // Waits for those that give the plan to a tenant: see keepPlan in set-limits.ts.
    const [plan] = await tx.select().from(plans).where(isPlan(project, name)).for("update");
    if (!plan) throw new StowageError("plan_not_found");
    const users = await tx
      .select({ id: tenants.id })
      .from(tenants)
      .where(and(eq(tenants.projectId, project.id), eq(tenants.plan, name)))
      .limit(1);
    if (users.length > 0) throw new StowageError("plan_in_use");
    await tx.delete(plans).where(isPlan(project, name));
    const result = toRecord(plan);
    return { result, entry: { action: "plan.deleted", projectId: project.id, details: { ...result } } };
  });
}

function isPlan(project: Project, name: string) {
  return and(eq(plans.projectId, project.id), eq(plans.name, name));
}

function toRecord({ name, quotaBytes, limits }: typeof plans.$inferSelect): PlanRecord {
  return { name, quotaBytes, ...showLimits(limits) };
}
