import {
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
import type { KeyLookup } from "#projects/key-lookup.js";
import { listTenants } from "#tenants/list-tenants.js";
import { readUsage } from "#tenants/read-usage.js";
import { setQuota, type SetQuotaDeps } from "#tenants/set-quota.js";

export type TenantRoutesDeps = Omit<SetQuotaDeps, "db"> & {
  db: Database;
  keys: Pick<KeyLookup, "findProject">;
};

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

  scope.put("/quota", async (request): Promise<Tenant> => {
    const input = parse(setQuotaRequest, request.body);
    const project = await findProject(request);
    return snakeKeys(await setQuota(inLane(deps, "work", project.id), project, input));
  });
}
