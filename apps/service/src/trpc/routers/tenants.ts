import {
  deleteTenantInput,
  planInput,
  savePlanInput,
  setTenantLimitsInput,
  tenantInput,
  tenantsCountInput,
  tenantsListInput,
  tenantUsageInput,
} from "@stowage/operator-schemas";
import { deleteTenantAsOperator } from "#purge/delete-confirmed-tenant.js";
import { changeLimits } from "#tenants/change-limits.js";
import { countTenants, listTenants } from "#tenants/list-tenants.js";
import { deletePlan, listPlans, setPlan } from "#tenants/plans.js";
import { readTenant } from "#tenants/read-tenant.js";
import { readTenantDailyUsage } from "#tenants/read-tenant-daily-usage.js";
import { procedureFor, router } from "../procedures.js";

export const tenantsRouter = router({
  list: procedureFor.viewer
    .input(tenantsListInput)
    .query(({ ctx, input }) => listTenants(ctx.deps, ctx.membership.project, input)),
  count: procedureFor.viewer
    .input(tenantsCountInput)
    .query(({ ctx, input }) => countTenants(ctx.deps, ctx.membership.project, input)),
  read: procedureFor.viewer
    .input(tenantInput)
    .query(({ ctx, input }) => readTenant(ctx.deps, ctx.membership.project, input)),
  usagePerDay: procedureFor.viewer
    .input(tenantUsageInput)
    .query(({ ctx, input }) => readTenantDailyUsage(ctx.deps, ctx.membership.project, input)),
  delete: procedureFor.owner
    .input(deleteTenantInput)
    .mutation(({ ctx, input }) => deleteTenantAsOperator(ctx.deps, ctx.caller, input)),
  setLimits: procedureFor.member
    .input(setTenantLimitsInput)
    .mutation(({ ctx, input }) => changeLimits(ctx.deps, ctx.caller, input)),
});

/** The plans of a project: named sets of limits. */
export const plansRouter = router({
  list: procedureFor.viewer.query(({ ctx }) => listPlans(ctx.deps, ctx.membership.project)),
  save: procedureFor.owner
    .input(savePlanInput)
    .mutation(({ ctx, input }) => setPlan(ctx.deps, ctx.caller, input)),
  delete: procedureFor.owner
    .input(planInput)
    .mutation(({ ctx, input }) => deletePlan(ctx.deps, ctx.caller, input)),
});
