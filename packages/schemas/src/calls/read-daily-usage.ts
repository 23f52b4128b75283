import * as z from "zod";
import type { About, Call } from "../call.js";
import { dailyMeters, metersQuery } from "../meters.js";

/** Answer of `GET /api/storage/usage/daily/`. */
export const dailyUsageResponse = z.object({ days: z.array(dailyMeters) });
export type DailyUsageResponse = z.infer<typeof dailyUsageResponse>;

export const call = {
  method: "GET",
  path: "/api/storage/usage/daily/",
  query: metersQuery,
  answer: dailyUsageResponse,
  table: { member: "days", columns: Object.keys(dailyMeters.shape) },
} as const satisfies Call;

export const about = {
  tag: "Tenants",
  names: { answer: "DailyUsage" },
  lane: "read",
  summary: "Read the meters of each day",
  description:
    "What a tenant, or without tenant_id the whole project, has used on each day of at most 366, oldest first. Today is measured until now; days after today are left out.",
  errors: ["tenant_id_required", "tenant_not_found"],
  example: { tenant_id: "user_42", from: "2026-01-30", to: "2026-01-31" },
} as const satisfies About;
