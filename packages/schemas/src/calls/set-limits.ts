import type * as z from "zod";
import { camelKeys } from "../casing.js";
import { tenantId, requestBody } from "../fields.js";
import type { About, Call } from "../call.js";
import { tenant } from "../tenant.js";
import { limitMembers, planName } from "../tenant-limits.js";

/** Body of `PUT /api/storage/limits/`. */
export const setLimitsRequest = requestBody({
  tenant_id: tenantId,
  ...limitMembers,
  plan: planName.nullable().optional().describe("The name of a plan of the project; null for none."),
}).transform(camelKeys);
export type SetLimitsRequest = z.output<typeof setLimitsRequest>;

export const call = {
  method: "PUT",
  path: "/api/storage/limits/",
  body: setLimitsRequest,
  answer: tenant,
} as const satisfies Call;

export const about = {
  tag: "Tenants",
  names: { body: "SetLimitsRequest", answer: "Tenant" },
  lane: "work",
  summary: "Set a tenant's limits, or its plan",
  description:
    "A member that is left out stays as it is; null means that the plan decides, then the project, then the service. A limit below what the tenant has deletes nothing and refuses new uploads. Limits can be set before the tenant's first upload.",
  errors: ["tenant_id_required", "plan_not_found"],
  example: { tenant_id: "user_42", plan: "pro", max_files: 5000 },
} as const satisfies About;
