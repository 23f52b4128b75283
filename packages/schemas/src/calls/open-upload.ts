import * as z from "zod";
import { camelKeys } from "../casing.js";
import {
  tenantId,
  filename,
  contentType,
  multipartSize,
  partSize,
  fingerprint,
  cacheControl,
  newVisibility,
  replacedPath,
  expiresAfter,
  metadata,
  optionalField,
  requestBody,
} from "../fields.js";
import { limits } from "../limits.js";
import { folder } from "../folder.js";
import type { About, Call } from "../call.js";
import { partLayout } from "../part-layout.js";
import { uploadHeaders } from "./request-upload.js";

/** Body of `POST /api/storage/uploads/`. The order of the fields decides which error is answered first. */
export const openUploadRequest = requestBody({
  filename,
  tenant_id: tenantId,
  size: multipartSize,
  content_type: optionalField(contentType),
  metadata: optionalField(metadata),
  folder: optionalField(folder),
  part_size: optionalField(partSize),
  fingerprint: optionalField(fingerprint),
  expires_after: optionalField(expiresAfter),
  cache_control: optionalField(cacheControl),
  visibility: optionalField(newVisibility),
  replaces: optionalField(replacedPath),
})
  .refine(({ size, part_size }) => !part_size || size <= part_size * limits.parts, {
    error: `part_size is too small: a file has at most ${limits.parts} parts`,
  })
  .transform(camelKeys);
export type OpenUploadRequest = z.output<typeof openUploadRequest>;

/** The body in snake_case, as it is sent. */
export type OpenUploadRequestBody = z.input<typeof openUploadRequest>;

/** Answer of `POST /api/storage/uploads/`. */
export const openUploadResponse = z.object({
  file_path: z.string().describe("The permanent identifier of the file. Save it."),
  tenant_id: z.string(),
  is_new_tenant: z
    .boolean()
    .describe("True for the first upload request of this tenant_id, and false for all later ones."),
  content_type: z.string(),
  part_size: partLayout.part_size,
  part_count: partLayout.part_count,
  expires_at: partLayout.expires_at,
  max_bytes: z.int().describe("Bytes that may be sent: the given size."),
});
export type OpenUploadResponse = z.infer<typeof openUploadResponse>;

export const call = {
  method: "POST",
  path: "/api/storage/uploads/",
  body: openUploadRequest,
  headers: uploadHeaders,
  answer: openUploadResponse,
} as const satisfies Call;

export const about = {
  tag: "Uploads",
  names: { body: "OpenUploadRequest", answer: "OpenedUpload" },
  lane: "upload",
  summary: "Open an upload by parts",
  description:
    "For files of up to 5 TiB, and for uploads that continue where they stopped. Request the URLs of the parts, send each with its own PUT, and complete the upload. All parts have part_size bytes, except the last, which has the rest. The whole size is reserved at once. At expires_at, the service completes an upload whose parts are all stored, and otherwise removes the parts and the reservation. Idempotency-Key works as for a single PUT.",
  errors: [
    "filename_required",
    "tenant_id_required",
    "size_required",
    "file_too_large",
    "quota_exceeded",
    "file_limit_exceeded",
    "tenant_being_deleted",
    "idempotency_key_reused",
    "file_not_found",
    "file_on_hold",
    "file_being_replaced",
  ],
  example: { tenant_id: "user_42", filename: "holiday.mp4", size: 20_000_000, fingerprint: "holiday 2026" },
} as const satisfies About;
