import type * as z from "zod";
import { camelKeys } from "../casing.js";
import { requestBody, tenantId } from "../fields.js";
import { folderField } from "../folder.js";
import { startedJob } from "../job.js";
import type { About, Call } from "../call.js";

/** Body of `POST /api/storage/folders/delete/`. */
export const deleteFolderRequest = requestBody({
  tenant_id: tenantId,
  folder: folderField("folder")
    .refine((folder) => folder !== "", { error: "folder must name a folder: the root cannot be deleted" })
    .describe("The folder whose files are deleted, with those below it."),
}).transform(camelKeys);
export type DeleteFolderRequest = z.output<typeof deleteFolderRequest>;

export const call = {
  method: "POST",
  path: "/api/storage/folders/delete/",
  body: deleteFolderRequest,
  answer: startedJob,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { body: "DeleteFolderRequest", answer: "StartedJob" },
  lane: "work",
  summary: "Delete a folder",
  description:
    "Starts a job, which jobs/ tells about. It deletes the files in the folder and below it as delete/ does: into the trash, if the project has one. A file on hold stays, and so does a file that is uploaded into the folder later. The same request again answers the job that runs. While a job runs, another one that would take files from its folders, or put files where it takes them from, is 409.",
  errors: ["tenant_id_required", "tenant_not_found", "folder_busy", "tenant_being_deleted"],
  example: { tenant_id: "user_42", folder: "old" },
} as const satisfies About;
