import * as z from "zod";
import { camelKeys } from "../casing.js";
import { ownerTenantId } from "../fields.js";
import { job } from "../job.js";
import { limits } from "../limits.js";
import { textField } from "../text-field.js";
import type { About, Call } from "../call.js";

/** Query of `GET /api/storage/jobs/`. */
export const readJobQuery = z
  .object({
    job_id: textField("job_id", { max: limits.jobIdLength, required: true }).describe("Of the started job."),
    tenant_id: ownerTenantId.optional(),
  })
  .transform(camelKeys);
export type ReadJobQuery = z.output<typeof readJobQuery>;

export const call = {
  method: "GET",
  path: "/api/storage/jobs/",
  query: readJobQuery,
  answer: job,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { answer: "Job" },
  lane: "read",
  summary: "Read how far a job is",
  description:
    "A job is a move or a delete of a folder. It goes on if a process of the service dies. Seven days after its end, and for another tenant, it is 404.",
  errors: ["tenant_id_required", "job_not_found"],
  example: { job_id: "$JOB_ID" },
} as const satisfies About;
