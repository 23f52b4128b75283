import type * as z from "zod";
import { camelKeys } from "../casing.js";
import {
  filename,
  filePath,
  metadataChange,
  optionalField,
  ownerTenantId,
  requestBody,
  unchangeable,
} from "../fields.js";
import { file } from "../file.js";
import { folder } from "../folder.js";
import type { About, Call } from "../call.js";

/** Body of `POST /api/storage/update/`. */
export const updateRequest = requestBody({
  file_path: filePath,
  tenant_id: optionalField(ownerTenantId),
  filename: optionalField(filename),
  metadata: optionalField(metadataChange),
  folder: optionalField(folder),
  cache_control: unchangeable("cache_control"),
})
  .refine(
    ({ filename, metadata, folder }) => [filename, metadata, folder].some((value) => value !== undefined),
    {
      error: "filename, metadata or folder is required",
    },
  )
  .transform(({ cache_control: _, ...body }) => camelKeys(body));
export type UpdateRequest = z.output<typeof updateRequest>;

export const call = {
  method: "POST",
  path: "/api/storage/update/",
  body: updateRequest,
  answer: file,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { body: "UpdateRequest", answer: "File" },
  lane: "read",
  summary: "Rename or move a file, or change its metadata",
  description:
    "Only the given members change. metadata is merged: a member that is null is removed, and the limits of metadata apply to the result. Concurrent requests lose no member. folder moves the file. The file_path never changes, and downloads that are signed from now on have the new filename. It works for an upload that has not arrived, and for a file on hold or in quarantine; a file in the trash is 404. It is safe to repeat.",
  errors: ["filename_required", "tenant_id_required", "file_not_found"],
  example: { file_path: "$FILE_PATH", filename: "Greeting.txt", metadata: { invoice: null, order: "7" } },
} as const satisfies About;
