import * as z from "zod";
import { camelKeys } from "../casing.js";
import { filePath, ownerTenantId, optionalField, requestBody } from "../fields.js";
import { file } from "../file.js";
import type { About, Call } from "../call.js";

/** Body of `POST /api/storage/hold/`. */
export const holdRequest = requestBody({
  file_path: filePath,
  tenant_id: optionalField(ownerTenantId),
  hold: z
    .boolean({
      error: ({ input }) => (input === undefined ? "hold is required" : "hold must be true or false"),
    })
    .describe("True puts the file on hold, false releases it."),
}).transform(camelKeys);
export type HoldRequest = z.output<typeof holdRequest>;

export const call = {
  method: "POST",
  path: "/api/storage/hold/",
  body: holdRequest,
  answer: file,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { body: "HoldRequest", answer: "File" },
  lane: "read",
  summary: "Put a file on hold, or release it",
  description:
    "Nothing deletes a file on hold: no call, no operator, no expiry, no purge of the trash. Its tenant and its project cannot be deleted. A file whose time has passed is deleted when it is released. A hold also works for an upload that has not arrived, and in the trash. It is safe to repeat.",
  errors: ["tenant_id_required", "file_not_found", "tenant_being_deleted"],
  example: { file_path: "$FILE_PATH", hold: true },
} as const satisfies About;
