import {
  deleteTenantRequest,
  type DeleteTenantResponse,
  exportTenantQuery,
  listTenantsQuery,
  type ListTenantsResponse,
  parse,
  setQuotaRequest,
  snakeKeys,
  type Tenant,
  usageQuery,
  type UsageResponse,
} from "@stowage/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Database, inLane } from "#db/client.js";
import type { SettleUploadDeps } from "#files/settle/settle-upload.js";
import type { KeyLookup } from "#projects/key-lookup.js";
import { toNdjson } from "#lib/ndjson.js";
import { keyActor } from "#audit/caller.js";
import { deleteTenant, type DeleteTenantDeps } from "#purge/delete-tenant.js";
import { exportTenant, type ExportTenantDeps } from "#deliver/export-tenant.js";
import { listTenants } from "#tenants/list-tenants.js";
import { readUsage } from "#tenants/read-usage.js";
import { setQuota, type SetQuotaDeps } from "#tenants/set-quota.js";

export type TenantRoutesDeps = Omit<
  SetQuotaDeps & DeleteTenantDeps & ExportTenantDeps & SettleUploadDeps,
  "db" | "settling"
> & {
  db: Database;
  keys: Pick<KeyLookup, "findProject">;
};

const clientOf = ({ ip, headers }: FastifyRequest) => ({
  ipAddress: ip,
  userAgent: headers["user-agent"] ?? "",
});

/** The calls about tenants: `/tenants`, `/usage` and `/quota`. */
export function tenantRoutes(scope: FastifyInstance, deps: TenantRoutesDeps): void {
  const findProject = (request: FastifyRequest) => deps.keys.findProject(request);

  scope.get("/tenants", async (request): Promise<ListTenantsResponse> => {
    const query = parse(listTenantsQuery, request.query);
    const project = await findProject(request);
    const page = await listTenants(inLane(deps, "list", project.id), project, query);
    return { tenants: page.tenants.map((tenant) => snakeKeys(tenant)), next_cursor: page.nextCursor };
  });

  scope.get("/usage", async (request): Promise<UsageResponse> => {
    const query = parse(usageQuery, request.query);
    const project = await findProject(request);
    // One tenant's usage is a single row. The project's is a sum.
    const lane = query.tenantId === undefined ? "list" : "read";
    return snakeKeys(await readUsage(inLane(deps, lane, project.id), project, query));
  });

  scope.post("/tenants/delete", async (request): Promise<DeleteTenantResponse> => {
    const { tenantId } = parse(deleteTenantRequest, request.body);
    const project = await findProject(request);
    const by = keyActor(clientOf(request));
    return snakeKeys(await deleteTenant(inLane(deps, "work", project.id), project, tenantId, by));
  });

  scope.get("/tenants/export", async (request, reply) => {
    const query = parse(exportTenantQuery, request.query);
    const project = await findProject(request);
    const by = keyActor(clientOf(request));
    const reading = { ...inLane(deps, "list", project.id), settling: inLane(deps, "upload", project.id) };
    const lines = await exportTenant(reading, project, query, by);
    return reply.header("Content-Type", "application/x-ndjson").send(toNdjson(lines));
  });

  scope.put("/quota", async (request): Promise<Tenant> => {
    const input = parse(setQuotaRequest, request.body);
    const project = await findProject(request);
    return snakeKeys(await setQuota(inLane(deps, "work", project.id), project, input));
  });
}
