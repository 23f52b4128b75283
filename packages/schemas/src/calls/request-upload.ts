import * as z from "zod";
import { camelKeys } from "../casing.js";
import {
  tenantId,
  filename,
  contentType,
  size,
  contentMd5,
  cacheControl,
  newVisibility,
  replacedPath,
  expiresAfter,
  idempotencyKey,
  metadata,
  timestamp,
  optionalField,
  requestBody,
} from "../fields.js";
import { folder } from "../folder.js";
import type { About, Call } from "../call.js";

/** Body of `POST /api/storage/upload/`. The order of the fields decides which error is answered first. */
export const uploadRequest = requestBody({
  filename,
  tenant_id: tenantId,
  content_type: optionalField(contentType),
  size: optionalField(size),
  content_md5: optionalField(contentMd5),
  metadata: optionalField(metadata),
  folder: optionalField(folder),
  expires_after: optionalField(expiresAfter),
  cache_control: optionalField(cacheControl),
  visibility: optionalField(newVisibility),
  replaces: optionalField(replacedPath),
}).transform(camelKeys);
export type UploadRequest = z.output<typeof uploadRequest>;

/** The body in snake_case, as it is sent. */
export type UploadRequestBody = z.input<typeof uploadRequest>;

/** Headers of `POST /api/storage/upload/`, with names in lower case. */
export const uploadHeaders = z.object({ "idempotency-key": idempotencyKey.optional() });

/** Answer of `POST /api/storage/upload/`. */
export const uploadResponse = z.object({
  presigned_url: z.string().describe("The URL for the PUT of the bytes. Keep it secret until it expires."),
  file_path: z.string().describe("The permanent identifier of the file. Save it."),
  tenant_id: z.string(),
  is_new_tenant: z
    .boolean()
    .describe("True for the first upload request of this tenant_id, and false for all later ones."),
  content_type: z.string(),
  headers: z
    .record(z.string(), z.string())
    .describe("The headers that the PUT must send, and no others. Clients set Content-Length by themselves."),
  expires_at: timestamp,
  max_bytes: z
    .int()
    .describe("Bytes that may be sent: the given size, or else the project's maximum file size."),
});
export type UploadResponse = z.infer<typeof uploadResponse>;

export const call = {
  method: "POST",
  path: "/api/storage/upload/",
  body: uploadRequest,
  headers: uploadHeaders,
  answer: uploadResponse,
} as const satisfies Call;

export const about = {
  tag: "Uploads",
  names: { body: "UploadRequest", answer: "Upload" },
  lane: "upload",
  summary: "Request an upload URL",
  description:
    "Answers a URL for one PUT of the bytes and records the file as pending. The URL expires after one hour at most: request it right before the upload. The first upload of a tenant_id creates the tenant. With an Idempotency-Key the request is safe to repeat for 24 hours: the same key and body answer the same file_path with a new URL, and reserve nothing twice. The service opens an expired upload again, and a new upload if that file was deleted or cancelled. It does not remember refused requests.",
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
  example: { tenant_id: "user_42", filename: "hello.txt", size: 6, metadata: { invoice: "1001" } },
} as const satisfies About;
