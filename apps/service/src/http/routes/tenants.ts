import { operations } from "@stowage/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type AuditActor, keyActor } from "#audit/caller.js";
import { exportTenant, type ExportTenantDeps } from "#deliver/export-tenant.js";
import type { SettleUploadDeps } from "#files/settle/settle-upload.js";
import { deleteTenant, type DeleteTenantDeps } from "#purge/delete-tenant.js";
import { listTenants } from "#tenants/list-tenants.js";
import { readUsage } from "#tenants/read-usage.js";
import { setQuota, type SetQuotaDeps } from "#tenants/set-quota.js";
import { createRoutes, type RouteDeps } from "./route.js";

export type TenantRoutesDeps = RouteDeps &
  Omit<SetQuotaDeps & DeleteTenantDeps & ExportTenantDeps & SettleUploadDeps, "db" | "settling" | "store">;

/** The calls about tenants. */
export function tenantRoutes(scope: FastifyInstance, deps: TenantRoutesDeps): void {
  const { route } = createRoutes(scope, deps);
  route(operations.listTenants, async (deps, project, query) => {
    const { tenants, nextCursor } = await listTenants(deps, project, query);
    return { tenants, nextCursor };
  });
  route(operations.readUsage, readUsage);
  route(operations.deleteTenant, (deps, project, { tenantId }, request) =>
    deleteTenant(deps, project, tenantId, callerOf(request)),
  );
  route(operations.exportTenant, (deps, project, query, request) =>
    exportTenant(deps, project, query, callerOf(request)),
  );
  route(operations.setQuota, setQuota);
}

const callerOf = ({ ip, headers }: FastifyRequest): AuditActor =>
  keyActor({ ipAddress: ip, userAgent: headers["user-agent"] ?? "" });
