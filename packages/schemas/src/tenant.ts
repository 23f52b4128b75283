import * as z from "zod";
import { camelKeys } from "./casing.js";
import { cursor, pageLimit, quotaBytes, searchText, tenantId, timestamp } from "./fields.js";

export const quotaSources = ["tenant", "project", "service"] as const;
export type QuotaSource = (typeof quotaSources)[number];

/** A tenant, as every call answers it. */
export const tenant = z.object({
  tenant_id: z.string(),
  used_bytes: z.int().describe("Bytes of the stored files."),
  reserved_bytes: z.int().describe("Bytes that open uploads reserve."),
  file_count: z.int().describe("Number of stored files."),
  quota_bytes: z.int().nullable().describe("The quota that applies; null if there is none."),
  quota_source: z.enum(quotaSources).nullable().describe("Where that quota is set; null if there is none."),
  created_at: timestamp,
});
export type Tenant = z.infer<typeof tenant>;

export const tenantSorts = ["created_at", "used_bytes"] as const;
export type TenantSort = (typeof tenantSorts)[number];

/** Query of `GET /api/storage/tenants/`. */
export const listTenantsQuery = z
  .object({
    q: searchText.optional(),
    sort: z
      .enum(tenantSorts, { error: `sort must be one of ${tenantSorts.join(", ")}` })
      .default("created_at")
      .describe("created_at (the default): newest first. used_bytes: largest first."),
    limit: pageLimit,
    cursor: cursor.optional(),
  })
  .transform(camelKeys);
export type ListTenantsQuery = z.output<typeof listTenantsQuery>;

/** Answer of `GET /api/storage/tenants/`. */
export const listTenantsResponse = z.object({ tenants: z.array(tenant), next_cursor: z.string().nullable() });
export type ListTenantsResponse = z.infer<typeof listTenantsResponse>;

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
  })
  .extend({
    variant_bytes: z
      .int()
      .optional()
      .describe("Bytes of image variants, which count toward no quota. Only of the whole project."),
  });
export type UsageResponse = z.infer<typeof usageResponse>;

/** Body of `PUT /api/storage/quota/`. */
export const setQuotaRequest = z
  .object({ tenant_id: tenantId, quota_bytes: quotaBytes }, { error: "Request body must be a JSON object" })
  .transform(camelKeys);
export type SetQuotaRequest = z.output<typeof setQuotaRequest>;
