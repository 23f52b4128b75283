import * as z from "zod";
import { camelKeys } from "../casing.js";
import { tenantId } from "../fields.js";
import type { About, Call } from "../call.js";
import { tenant } from "../tenant.js";

/** Query of `GET /api/storage/usage/`. Without a tenant_id, the answer is about the whole project. */
export const usageQuery = z.object({ tenant_id: tenantId.optional() }).transform(camelKeys);
export type UsageQuery = z.output<typeof usageQuery>;

/** Answer of `GET /api/storage/usage/`. */
export const usageResponse = tenant
  .pick({
    used_bytes: true,
    reserved_bytes: true,
    file_count: true,
    quota_bytes: true,
    plan: true,
    max_files: true,
    max_open_uploads: true,
    uploads_per_minute: true,
  })
  .extend({
    variant_bytes: z
      .int()
      .optional()
      .describe("Bytes of image variants, which count toward no quota. Only of the whole project."),
  });
export type UsageResponse = z.infer<typeof usageResponse>;

export const call = {
  method: "GET",
  path: "/api/storage/usage/",
  query: usageQuery,
  answer: usageResponse,
} as const satisfies Call;

export const about = {
  tag: "Tenants",
  names: { answer: "Usage" },
  lane: "read",
  laneWithoutTenant: "list",
  summary: "Read the usage of a tenant, or of the project",
  description:
    "Without tenant_id, the answer is about the whole project, which has no quota and no limits. A tenant that has never uploaded has no usage, and the limits of its first upload.",
  errors: ["tenant_id_required"],
  example: { tenant_id: "user_42" },
} as const satisfies About;
