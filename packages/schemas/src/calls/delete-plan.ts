import type * as z from "zod";
import { camelKeys } from "../casing.js";
import { requestBody } from "../fields.js";
import type { About, Call } from "../call.js";
import { plan, planName } from "../tenant-limits.js";

/** Body of `POST /api/storage/plans/delete/`. */
export const deletePlanRequest = requestBody({ name: planName }).transform(camelKeys);
export type DeletePlanRequest = z.output<typeof deletePlanRequest>;

export const call = {
  method: "POST",
  path: "/api/storage/plans/delete/",
  body: deletePlanRequest,
  answer: plan,
} as const satisfies Call;

export const about = {
  tag: "Tenants",
  names: { body: "DeletePlanRequest", answer: "Plan" },
  lane: "work",
  summary: "Delete a plan that no tenant has",
  description: "While a tenant has the plan, the answer is 409: give those tenants another plan first.",
  errors: ["plan_not_found", "plan_in_use"],
  example: { name: "trial" },
} as const satisfies About;
