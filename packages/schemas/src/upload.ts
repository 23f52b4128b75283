import * as z from "zod";
import { camelKeys } from "./casing.js";
import {
  cacheControl,
  contentMd5,
  contentType,
  expiresAfter,
  filename,
  idempotencyKey,
  metadata,
  newVisibility,
  optionalField,
  size,
  tenantId,
  timestamp,
} from "./fields.js";

const uploadMembers = {
  filename,
  content_type: optionalField(contentType),
  size: optionalField(size),
  content_md5: optionalField(contentMd5),
  metadata: optionalField(metadata),
  expires_after: optionalField(expiresAfter),
  cache_control: optionalField(cacheControl),
  visibility: optionalField(newVisibility),
};

const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object(shape, { error: "Request body must be a JSON object" });

/** Body of `POST /api/storage/upload/`. The order of the fields decides which error is answered first. */
export const uploadRequest = object({
  filename: uploadMembers.filename,
  tenant_id: tenantId,
  content_type: uploadMembers.content_type,
  size: uploadMembers.size,
  content_md5: uploadMembers.content_md5,
  metadata: uploadMembers.metadata,
  expires_after: uploadMembers.expires_after,
  cache_control: uploadMembers.cache_control,
  visibility: uploadMembers.visibility,
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
