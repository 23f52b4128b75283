import * as z from "zod";
import { camelKeys } from "./casing.js";
import { cursor, pageLimit, quotaBytes, searchText, tenantId } from "./members.js";

export const quotaSources = ["tenant", "project", "service"] as const;
export type QuotaSource = (typeof quotaSources)[number];

/** A tenant as every operation answers it. */
export const tenant = z.object({
  tenant_id: z.string(),
  used_bytes: z.int().describe("Bytes of its stored files."),
  reserved_bytes: z.int().describe("Bytes that open uploads hold."),
  file_count: z.int().describe("Stored files."),
  quota_bytes: z.int().nullable().describe("The quota in force; null: none."),
  quota_source: z.enum(quotaSources).nullable().describe("Whose quota that is; null: nobody set one."),
  created_at: z.string().describe("RFC 3339, UTC."),
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
      .describe("Newest first, when left out, or largest first."),
    limit: pageLimit,
    cursor: cursor.optional(),
  })
  .transform(camelKeys);
export type ListTenantsQuery = z.output<typeof listTenantsQuery>;

/** Answer of `GET /api/storage/tenants/`: newest first, or largest first. */
export const listTenantsResponse = z.object({ tenants: z.array(tenant), next_cursor: z.string().nullable() });
export type ListTenantsResponse = z.infer<typeof listTenantsResponse>;

/** Query of `GET /api/storage/usage/`: of one tenant, or without one of the whole project. */
export const usageQuery = z.object({ tenant_id: tenantId.optional() }).transform(camelKeys);
export type UsageQuery = z.output<typeof usageQuery>;

/** Answer of `GET /api/storage/usage/`. */
export const usageResponse = tenant.pick({
  used_bytes: true,
  reserved_bytes: true,
  file_count: true,
  quota_bytes: true,
});
export type UsageResponse = z.infer<typeof usageResponse>;

/** Body of `PUT /api/storage/quota/`. */
export const setQuotaRequest = z
  .object({ tenant_id: tenantId, quota_bytes: quotaBytes }, { error: "Request body must be a JSON object" })
  .transform(camelKeys);
export type SetQuotaRequest = z.output<typeof setQuotaRequest>;
