import type * as z from "zod";
import { camelKeys } from "../casing.js";
import { requestBody } from "../fields.js";
import { limits } from "../limits.js";
import type { About, Call } from "../call.js";
import { limitMembers, plan, planName } from "../tenant-limits.js";

/** Body of `PUT /api/storage/plans/`. */
export const setPlanRequest = requestBody({ name: planName, ...limitMembers }).transform(camelKeys);
export type SetPlanRequest = z.output<typeof setPlanRequest>;

export const call = {
  method: "PUT",
  path: "/api/storage/plans/",
  body: setPlanRequest,
  answer: plan,
} as const satisfies Call;

export const about = {
  tag: "Tenants",
  names: { body: "SetPlanRequest", answer: "Plan" },
  lane: "work",
  summary: "Create or change a plan",
  description: `Creates a plan, or changes the one of this name for all tenants that have it. A member that is left out stays as it is; null means that the project decides. A project has at most ${limits.plans} plans.`,
  errors: [],
  example: { name: "pro", quota_bytes: 50_000_000_000, max_files: 100_000, uploads_per_minute: 600 },
} as const satisfies About;
