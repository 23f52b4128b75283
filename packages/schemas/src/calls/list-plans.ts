import * as z from "zod";
import type { About, Call } from "../call.js";
import { plan } from "../tenant-limits.js";

/** Answer of `GET /api/storage/plans/`. */
export const listPlansResponse = z.object({ plans: z.array(plan) });
export type ListPlansResponse = z.infer<typeof listPlansResponse>;

export const call = {
  method: "GET",
  path: "/api/storage/plans/",
  query: z.object({}),
  answer: listPlansResponse,
} as const satisfies Call;

export const about = {
  tag: "Tenants",
  names: { answer: "PlanList" },
  lane: "read",
  summary: "List the plans of the project",
  description: "All plans, by name.",
  errors: [],
  example: {},
} as const satisfies About;
