import { searchText, tenantId, tenantSorts } from "@stowage/schemas";
import * as z from "zod";
import { sortOrders } from "./constants.js";
import { bytes, cursor, limit } from "./fields.js";
import { overviewDaysInput } from "./project-inputs.js";

/*
 * Inputs of the calls about tenants.
 */

/** Without `order`, names are sorted from A to Z, dates from the newest and sizes from the largest. */
export const tenantsListInput = z.object({
  q: searchText.optional(),
  sort: z.enum([...tenantSorts, "tenant_id"]).default("created_at"),
  order: z.enum(sortOrders).optional(),
  cursor,
  limit,
});
export type TenantsListInput = z.output<typeof tenantsListInput>;

export const tenantsCountInput = tenantsListInput.pick({ q: true });

export const tenantInput = z.object({ tenantId });
export type TenantInput = z.output<typeof tenantInput>;

/** Null gives the tenant the default quota of its project. */
export const setTenantQuotaInput = tenantInput.extend({
  quotaBytes: bytes("quota", Number.MAX_SAFE_INTEGER, "8,192 TB").nullable(),
});
export type SetTenantQuotaInput = z.output<typeof setTenantQuotaInput>;

/** `confirmation` is the tenant's ID, typed to confirm an action that cannot be undone. */
export const deleteTenantInput = tenantInput.extend({
  confirmation: z.string({ error: "confirmation is required" }),
});
export type DeleteTenantInput = z.output<typeof deleteTenantInput>;

export const tenantUsageInput = tenantInput.extend(overviewDaysInput.shape);
export type TenantUsageInput = z.output<typeof tenantUsageInput>;
