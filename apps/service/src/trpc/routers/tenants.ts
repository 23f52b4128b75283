import {
  deleteTenantInput,
  setTenantQuotaInput,
  tenantInput,
  tenantsCountInput,
  tenantsListInput,
  tenantUsageInput,
} from "@stowage/operator-schemas";
import { deleteTenantAsOperator } from "#purge/delete-confirmed-tenant.js";
import { changeLimits } from "#tenants/change-limits.js";
import { countTenants, listTenants } from "#tenants/list-tenants.js";
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
  setQuota: procedureFor.member
    .input(setTenantQuotaInput)
    .mutation(({ ctx, input }) => changeLimits(ctx.deps, ctx.caller, input)),
});
