import type * as z from "zod";
import { camelKeys } from "../casing.js";
import { filePath, ownerTenantId, optionalField, requestBody } from "../fields.js";
import { file } from "../file.js";
import type { About, Call } from "../call.js";

/** Body of `POST /api/storage/complete/`. If there is a tenant_id, it must own the file. */
export const completeRequest = requestBody({
  file_path: filePath,
  tenant_id: optionalField(ownerTenantId),
}).transform(camelKeys);
export type CompleteRequest = z.output<typeof completeRequest>;

export const call = {
  method: "POST",
  path: "/api/storage/complete/",
  body: completeRequest,
  answer: file,
} as const satisfies Call;

export const about = {
  tag: "Uploads",
  names: { body: "CompleteRequest", answer: "File" },
  lane: "upload",
  summary: "Complete an upload",
  description:
    "Checks storage at once and answers the recorded file. It is optional: a sweep counts a single PUT within seconds, and joins the parts of an upload within half a minute if all are stored. A file whose bytes do not fit the quota is removed: quota_exceeded. It is safe to repeat.",
  errors: [
    "tenant_id_required",
    "quota_exceeded",
    "file_not_found",
    "upload_not_found",
    "upload_incomplete",
    "upload_expired",
  ],
  example: { file_path: "$FILE_PATH" },
} as const satisfies About;
