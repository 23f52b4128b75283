import * as z from "zod";
import { camelKeys } from "../casing.js";
import { filePath, ownerTenantId, optionalField, requestBody } from "../fields.js";
import type { About, Call } from "../call.js";

/** Body of `POST /api/storage/cancel/`. If there is a tenant_id, it must own the upload. */
export const cancelRequest = requestBody({
  file_path: filePath,
  tenant_id: optionalField(ownerTenantId),
}).transform(camelKeys);
export type CancelRequest = z.output<typeof cancelRequest>;

/** Answer of `POST /api/storage/cancel/`. An upload that cannot be cancelled is an error, so `cancelled` is always true. */
export const cancelResponse = z.object({ file_path: z.string(), cancelled: z.literal(true) });
export type CancelResponse = z.infer<typeof cancelResponse>;

export const call = {
  method: "POST",
  path: "/api/storage/cancel/",
  body: cancelRequest,
  answer: cancelResponse,
} as const satisfies Call;

export const about = {
  tag: "Uploads",
  names: { body: "CancelRequest", answer: "CancelledUpload" },
  lane: "upload",
  summary: "Cancel an upload",
  description:
    "Ends an upload whose bytes are not in storage, and returns its reservation. Bytes that arrive later are removed and never counted. A file that is in storage is kept: 409. It is safe to repeat, also for an upload that has expired.",
  errors: ["tenant_id_required", "file_not_found", "upload_already_stored", "file_on_hold"],
  example: { file_path: "$FILE_PATH" },
} as const satisfies About;
