import * as z from "zod";
import { searchText, tenantId } from "../members.js";
import { tenantSorts } from "../tenant.js";
import { bytes, cursor, limit } from "./inputs.js";
import { overviewDaysInput } from "./overview-inputs.js";

/** By name from A to Z; newest or largest first: each unless `order` says otherwise. */
export const tenantsListInput = z.object({
  q: searchText.optional(),
  sort: z.enum([...tenantSorts, "tenant_id"]).default("created_at"),
  order: z.enum(["asc", "desc"]).optional(),
  cursor,
  limit,
});
export const tenantInput = z.object({ tenantId });
/** Null for the project's default. */
export const setTenantQuotaInput = tenantInput.extend({
  quotaBytes: bytes("quota", Number.MAX_SAFE_INTEGER, "8,192 TB").nullable(),
});
/** Of which days. */
export const tenantUsageInput = tenantInput.extend(overviewDaysInput.shape);

export type TenantsListInput = z.output<typeof tenantsListInput>;
export type TenantInput = z.output<typeof tenantInput>;
export type SetTenantQuotaInput = z.output<typeof setTenantQuotaInput>;
export type TenantUsageInput = z.output<typeof tenantUsageInput>;
