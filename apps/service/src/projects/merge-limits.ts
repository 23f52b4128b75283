import type { CountLimits } from "@stowage/schemas";
import { type SQL, sql } from "drizzle-orm";
import type { plans, projects, tenants } from "#db/schema/index.js";

/** What changes of limits: a member that is left out stays, null takes the limit away. */
export type LimitChange = Partial<Record<keyof CountLimits, number | null | undefined>>;

type LimitsColumn = typeof tenants.limits | typeof plans.limits | typeof projects.defaultLimits;

/** The limits of a row with a change; null if none is left. */
export function mergeLimits(
  limits: LimitsColumn,
  { maxFiles, maxOpenUploads, uploadsPerMinute }: LimitChange,
): SQL {
  const change = JSON.stringify({ maxFiles, maxOpenUploads, uploadsPerMinute });
  const merged = sql`jsonb_strip_nulls(coalesce(${limits}, '{}') || ${change}::text::jsonb)`;
  return sql`nullif(${merged}, '{}')`;
}

/** Null for each limit that is not set. */
export function showLimits(limits: CountLimits | null): Record<keyof CountLimits, number | null> {
  return {
    maxFiles: limits?.maxFiles ?? null,
    maxOpenUploads: limits?.maxOpenUploads ?? null,
    uploadsPerMinute: limits?.uploadsPerMinute ?? null,
  };
}
