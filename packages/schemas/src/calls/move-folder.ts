import type * as z from "zod";
import { camelKeys } from "../casing.js";
import { requestBody, tenantId } from "../fields.js";
import { folderField } from "../folder.js";
import { startedJob } from "../job.js";
import type { About, Call } from "../call.js";

/** The two names of a move. */
export const movedFolder = requestBody({
  from: folderField("from")
    .refine((folder) => folder !== "", { error: "from must name a folder: the root cannot be moved" })
    .describe("The folder to move, with everything below it."),
  to: folderField("to").describe(
    'Its new name, not the folder to put it into. "" moves its contents to the root.',
  ),
});

/** A folder can get neither its own name nor one below itself. */
export const isPossibleMove = ({ from, to }: z.output<typeof movedFolder>) =>
  !`${to}/`.startsWith(`${from}/`);
export const IMPOSSIBLE_MOVE = "to must be another folder than from, and not be below it";

/** Body of `POST /api/storage/folders/move/`. */
export const moveFolderRequest = requestBody({ tenant_id: tenantId, ...movedFolder.shape })
  .refine(isPossibleMove, { error: IMPOSSIBLE_MOVE })
  .transform(camelKeys);
export type MoveFolderRequest = z.output<typeof moveFolderRequest>;

export const call = {
  method: "POST",
  path: "/api/storage/folders/move/",
  body: moveFolderRequest,
  answer: startedJob,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { body: "MoveFolderRequest", answer: "StartedJob" },
  lane: "work",
  summary: "Move or rename a folder",
  description:
    "Starts a job, which jobs/ tells about. A file in from or below it, also in the trash, moves to the same place in or below to; files that are there already stay. A file that is uploaded into from later stays there. The same request again answers the job that runs. While a job runs, another one that would take files from its folders, or put files where it takes them from, is 409.",
  errors: ["tenant_id_required", "tenant_not_found", "folder_busy", "tenant_being_deleted"],
  example: { tenant_id: "user_42", from: "drafts", to: "reports/2026" },
} as const satisfies About;
