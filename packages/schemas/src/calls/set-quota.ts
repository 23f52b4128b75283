import type * as z from "zod";
import { camelKeys } from "../casing.js";
import { tenantId, quotaBytes, requestBody } from "../fields.js";
import type { About, Call } from "../call.js";
import { tenant } from "../tenant.js";

/** Body of `PUT /api/storage/quota/`. */
export const setQuotaRequest = requestBody({ tenant_id: tenantId, quota_bytes: quotaBytes }).transform(
  camelKeys,
);
export type SetQuotaRequest = z.output<typeof setQuotaRequest>;

export const call = {
  method: "PUT",
  path: "/api/storage/quota/",
  body: setQuotaRequest,
  answer: tenant,
} as const satisfies Call;

export const about = {
  tag: "Tenants",
  names: { body: "SetQuotaRequest", answer: "Tenant" },
  lane: "work",
  summary: "Set a tenant's quota",
  description:
    "A quota below the current usage keeps all files and refuses new uploads. A quota can be set before the tenant's first upload; that upload still answers is_new_tenant: true.",
  errors: ["tenant_id_required"],
  example: { tenant_id: "user_42", quota_bytes: 1_000_000_000 },
} as const satisfies About;
