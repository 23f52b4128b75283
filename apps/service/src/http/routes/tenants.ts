import { operations } from "@stowage/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type AuditActor, keyActor } from "#audit/caller.js";
import { exportTenant, type ExportTenantDeps } from "#deliver/export-tenant.js";
import type { SettleUploadDeps } from "#files/settle/settle-upload.js";
import { deleteTenant, type DeleteTenantDeps } from "#purge/delete-tenant.js";
import { listTenants } from "#tenants/list-tenants.js";
import { readDailyUsage, readMonthlyUsage } from "#tenants/read-meters.js";
import { readUsage } from "#tenants/read-usage.js";
import { deletePlan, listPlans, setPlan } from "#tenants/plans.js";
import { setLimits, type SetLimitsDeps } from "#tenants/set-limits.js";
import { createRoutes, type RouteDeps } from "./route.js";

export type TenantRoutesDeps = RouteDeps &
  Omit<SetLimitsDeps & DeleteTenantDeps & ExportTenantDeps & SettleUploadDeps, "db" | "settling" | "store">;

/** The calls about tenants. */
export function tenantRoutes(scope: FastifyInstance, deps: TenantRoutesDeps): void {
  const { route } = createRoutes(scope, deps);
  route(operations.listTenants, async (deps, project, query) => {
    const { tenants, nextCursor } = await listTenants(deps, project, query);
    return { tenants, nextCursor };
  });
  route(operations.readUsage, readUsage);
  route(operations.readDailyUsage, async (deps, project, query) => ({
    days: await readDailyUsage(deps, project, query),
  }));
  route(operations.readMonthlyUsage, async (deps, project, query) => ({
    months: await readMonthlyUsage(deps, project, query),
  }));
  route(operations.deleteTenant, (deps, project, { tenantId }, request) =>
    deleteTenant(deps, project, tenantId, callerOf(request)),
  );
  route(operations.exportTenant, (deps, project, query, request) =>
    exportTenant(deps, project, query, callerOf(request)),
  );
  route(operations.setQuota, setLimits);
  route(operations.setLimits, setLimits);
  route(operations.listPlans, async (deps, project) => ({ plans: await listPlans(deps, project) }));
  route(operations.setPlan, (deps, project, input, request) =>
    setPlan(deps, { ...callerOf(request), project }, input),
  );
  route(operations.deletePlan, (deps, project, input, request) =>
    deletePlan(deps, { ...callerOf(request), project }, input),
  );
}

const callerOf = ({ ip, headers }: FastifyRequest): AuditActor =>
  keyActor({ ipAddress: ip, userAgent: headers["user-agent"] ?? "" });
