import * as z from "zod";
import { camelKeys } from "../casing.js";
import { tenantId, requestBody } from "../fields.js";
import type { About, Call } from "../call.js";

/** Body of `POST /api/storage/tenants/delete/`. */
export const deleteTenantRequest = requestBody({ tenant_id: tenantId }).transform(camelKeys);
export type DeleteTenantRequest = z.output<typeof deleteTenantRequest>;

/** Answer of `POST /api/storage/tenants/delete/`. */
export const deleteTenantResponse = z.object({
  tenant_id: z.string(),
  remaining_files: z
    .int()
    .describe(
      "Files and open uploads that are not removed yet; from 10000 on at least so many. 0: nothing of the tenant is left. Repeat the request until then. 1 can also stand for other records than files.",
    ),
});
export type DeleteTenantResponse = z.infer<typeof deleteTenantResponse>;

export const call = {
  method: "POST",
  path: "/api/storage/tenants/delete/",
  body: deleteTenantRequest,
  answer: deleteTenantResponse,
} as const satisfies Call;

export const about = {
  tag: "Tenants",
  names: { body: "DeleteTenantRequest", answer: "DeletedTenant" },
  lane: "work",
  summary: "Delete a tenant with all its files",
  description:
    "Deletes the tenant and all its files for good, also those in the trash. Each call removes up to 1000 files. Repeat it until remaining_files is 0; otherwise the service continues by itself. Uploads of the tenant are refused from the first call. An unknown or deleted tenant is 404. If a file of the tenant is on hold, nothing is deleted, and the answer is 409.",
  errors: ["tenant_id_required", "tenant_not_found", "file_on_hold"],
  example: { tenant_id: "user_42" },
} as const satisfies About;
