import * as z from "zod";
import { camelKeys } from "./casing.js";
import {
  cacheControl,
  contentMd5,
  contentType,
  cursor,
  expiresAfter,
  filename,
  filePath,
  fingerprint,
  metadata,
  multipartSize,
  newVisibility,
  optionalField,
  ownerTenantId,
  pageLimit,
  partNumber,
  partSize,
  tenantId,
  timestamp,
} from "./fields.js";
import { file } from "./file.js";
import { limits } from "./limits.js";

/* Uploads of any size, in parts. https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html */

const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object(shape, { error: "Request body must be a JSON object" });

/** Body of `POST /api/storage/uploads/`. The order of the fields decides which error is answered first. */
export const openUploadRequest = object({
  filename,
  tenant_id: tenantId,
  size: multipartSize,
  content_type: optionalField(contentType),
  metadata: optionalField(metadata),
  part_size: optionalField(partSize),
  fingerprint: optionalField(fingerprint),
  expires_after: optionalField(expiresAfter),
  cache_control: optionalField(cacheControl),
  visibility: optionalField(newVisibility),
})
  .refine(({ size, part_size }) => !part_size || size <= part_size * limits.parts, {
    error: `part_size is too small: a file has at most ${limits.parts} parts`,
  })
  .transform(camelKeys);
export type OpenUploadRequest = z.output<typeof openUploadRequest>;
/** The body in snake_case, as it is sent. */
export type OpenUploadRequestBody = z.input<typeof openUploadRequest>;

/** How an open upload is divided into parts, and when it ends. */
const layout = {
  declared_size: z.int().describe("Bytes of the whole file."),
  part_size: z.int().describe("Bytes of each part. The last part has the rest of the file."),
  part_count: z.int(),
  expires_at: timestamp.describe("When the upload ends if it is not complete. RFC 3339, UTC."),
};

/** Answer of `POST /api/storage/uploads/`. */
export const openUploadResponse = z.object({
  file_path: z.string().describe("The permanent identifier of the file. Save it."),
  tenant_id: z.string(),
  is_new_tenant: z
    .boolean()
    .describe("True for the first upload request of this tenant_id, and false for all later ones."),
  content_type: z.string(),
  part_size: layout.part_size,
  part_count: layout.part_count,
  expires_at: layout.expires_at,
  max_bytes: z.int().describe("Bytes that may be sent: the given size."),
});
export type OpenUploadResponse = z.infer<typeof openUploadResponse>;

const wantedPart = object({ number: partNumber, content_md5: optionalField(contentMd5) });

/** Body of `POST /api/storage/uploads/parts/`. If there is a tenant_id, it must own the upload. */
export const signPartsRequest = object({
  file_path: filePath,
  tenant_id: optionalField(ownerTenantId),
  parts: z
    .array(wantedPart, { error: "parts must be a list" })
    .min(1, { error: "parts must name at least one part" })
    .max(limits.signedParts, { error: `parts must name at most ${limits.signedParts} parts` })
    .describe(
      "The parts to send: each with its number, from 1 on, and optionally the content_md5 of its bytes.",
    ),
}).transform(({ parts, ...body }) => ({ ...camelKeys(body), parts: parts.map((part) => camelKeys(part)) }));
export type SignPartsRequest = z.output<typeof signPartsRequest>;

/** A URL for the PUT of one part. */
export const signedPart = z.object({
  number: z.int(),
  presigned_url: z.string().describe("The URL for the PUT of this part. Keep it secret until it expires."),
  headers: z
    .record(z.string(), z.string())
    .describe("The headers that the PUT must send, and no others. Clients set Content-Length by themselves."),
  size: z.int().describe("Bytes of this part. Storage refuses any other length."),
  expires_at: timestamp,
});
export type SignedPart = z.infer<typeof signedPart>;

/** Answer of `POST /api/storage/uploads/parts/`, in the order of the request. */
export const signPartsResponse = z.object({ parts: z.array(signedPart) });
export type SignPartsResponse = z.infer<typeof signPartsResponse>;

/** Query of `GET /api/storage/uploads/parts/`. If there is a tenant_id, it must own the upload. */
export const listPartsQuery = z
  .object({ file_path: filePath, tenant_id: ownerTenantId.optional(), cursor: cursor.optional() })
  .transform(camelKeys);
export type ListPartsQuery = z.output<typeof listPartsQuery>;

/** A part that is in storage. */
export const storedPart = z.object({
  number: z.int(),
  size: z.int(),
  etag: z.string().describe("The MD5 of the part in hex, unless storage encrypts with SSE-KMS or SSE-C."),
});
export type StoredPart = z.infer<typeof storedPart>;

/** Answer of `GET /api/storage/uploads/parts/`, in the order of the numbers. */
export const listPartsResponse = z.object({
  parts: z.array(storedPart),
  next_cursor: z.string().nullable(),
  ...layout,
});
export type ListPartsResponse = z.infer<typeof listPartsResponse>;

/** Query of `GET /api/storage/uploads/`. */
export const listUploadsQuery = z
  .object({ tenant_id: tenantId, limit: pageLimit, cursor: cursor.optional() })
  .transform(camelKeys);
export type ListUploadsQuery = z.output<typeof listUploadsQuery>;

/** A multipart upload that is not complete. */
export const openUpload = file.extend({
  ...layout,
  parts_stored: z.int().describe("Parts that the service found in storage when it last looked."),
  bytes_stored: z.int().describe("Bytes of these parts."),
  fingerprint: z.string().nullable(),
});
export type OpenUpload = z.infer<typeof openUpload>;

/** Answer of `GET /api/storage/uploads/`, newest first. */
export const listUploadsResponse = z.object({
  uploads: z.array(openUpload),
  next_cursor: z.string().nullable(),
});
export type ListUploadsResponse = z.infer<typeof listUploadsResponse>;
