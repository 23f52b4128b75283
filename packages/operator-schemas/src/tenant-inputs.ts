import { limits, planName, searchText, tenantId, tenantSorts } from "@stowage/schemas";
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

const count = (name: string, unit: string) =>
  z
    .int({ error: `${name} must be a whole number of ${unit}` })
    .min(0, { error: `${name} must be at least 0` })
    .max(limits.countLimit, { error: `${name} must be at most ${limits.countLimit}` })
    .nullable()
    .optional();

/** Limits of a tenant or a plan. Null: the next place decides. A limit that is left out stays as it is. */
export const tenantLimitsInput = z.object({
  quotaBytes: bytes("quota", Number.MAX_SAFE_INTEGER, "8,192 TB").nullable().optional(),
  maxFiles: count("files", "files"),
  maxOpenUploads: count("open uploads", "uploads"),
  uploadsPerMinute: count("uploads per minute", "uploads"),
});
export type TenantLimitsInput = z.output<typeof tenantLimitsInput>;

/** Null takes the plan away. */
export const setTenantLimitsInput = tenantInput.extend({
  ...tenantLimitsInput.shape,
  plan: planName.nullable().optional(),
});
export type SetTenantLimitsInput = z.output<typeof setTenantLimitsInput>;

export const planInput = z.object({ name: planName });
export type PlanInput = z.output<typeof planInput>;

export const savePlanInput = planInput.extend(tenantLimitsInput.shape);
export type SavePlanInput = z.output<typeof savePlanInput>;

/** `confirmation` is the tenant's ID, typed to confirm an action that cannot be undone. */
export const deleteTenantInput = tenantInput.extend({
  confirmation: z.string({ error: "confirmation is required" }),
});
export type DeleteTenantInput = z.output<typeof deleteTenantInput>;

export const tenantUsageInput = tenantInput.extend(overviewDaysInput.shape);
export type TenantUsageInput = z.output<typeof tenantUsageInput>;
