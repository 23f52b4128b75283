import * as z from "zod";
import type { About, Call } from "../call.js";
import { metersQuery, monthlyMeters } from "../meters.js";

/** Answer of `GET /api/storage/usage/monthly/`. */
export const monthlyUsageResponse = z.object({ months: z.array(monthlyMeters) });
export type MonthlyUsageResponse = z.infer<typeof monthlyUsageResponse>;

export const call = {
  method: "GET",
  path: "/api/storage/usage/monthly/",
  query: metersQuery,
  answer: monthlyUsageResponse,
  table: { member: "months", columns: Object.keys(monthlyMeters.shape) },
} as const satisfies Call;

export const about = {
  tag: "Tenants",
  names: { answer: "MonthlyUsage" },
  lane: "read",
  summary: "Read the meters of each month",
  description:
    "The days of the query, summed by month: the largest peak_bytes, and the file_count of the last day.",
  errors: ["tenant_id_required", "tenant_not_found"],
  example: { tenant_id: "user_42", from: "2026-01-01", to: "2026-01-31" },
} as const satisfies About;
