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
import type { FastifyInstance } from "fastify";
import { findProject } from "#projects/find-project.js";
import { listTenants } from "#tenants/list-tenants.js";
import { readUsage } from "#tenants/read-usage.js";
import { setQuota, type SetQuotaDeps } from "#tenants/set-quota.js";

/** The calls about tenants: `/tenants`, `/usage` and `/quota`. */
export function tenantRoutes(scope: FastifyInstance, deps: SetQuotaDeps): void {
  scope.get("/tenants", async (request): Promise<ListTenantsResponse> => {
    const query = parse(listTenantsQuery, request.query);
    const project = await findProject(deps, request.apiKeyHash);
    const page = await listTenants(deps, project, query);
    return { tenants: page.tenants.map((tenant) => snakeKeys(tenant)), next_cursor: page.nextCursor };
  });

  scope.get("/usage", async (request): Promise<UsageResponse> => {
    const query = parse(usageQuery, request.query);
    const project = await findProject(deps, request.apiKeyHash);
    return snakeKeys(await readUsage(deps, project, query));
  });

  scope.put("/quota", async (request): Promise<Tenant> => {
    const input = parse(setQuotaRequest, request.body);
    const project = await findProject(deps, request.apiKeyHash);
    return snakeKeys(await setQuota(deps, project, input));
  });
}
