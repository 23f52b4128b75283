import * as z from "zod";
import { timestamp } from "./fields.js";

/** Answer of a call that starts a job. */
export const startedJob = z.object({
  job_id: z.string().describe("For jobs/."),
});
export type StartedJob = z.infer<typeof startedJob>;

/** A move or a delete of a folder. */
export const job = z.object({
  job_id: z.string(),
  kind: z.enum(["move_folder", "delete_folder"]),
  tenant_id: z.string(),
  state: z.enum(["running", "done"]),
  total: z.int().describe("Files that were in the folder or below it when the job was made."),
  done: z
    .int()
    .describe(
      "Files that the job has moved or deleted. Fewer than total at the end, if others moved or deleted some.",
    ),
  kept: z
    .int()
    .describe(
      "Files that stay: of a delete those on hold, of a move those in folders that are too deep for the new name.",
    ),
  created_at: timestamp,
  ended_at: timestamp.nullable().describe("Null while the job runs."),
});
export type Job = z.infer<typeof job>;
