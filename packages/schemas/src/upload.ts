import * as z from "zod";
import { camelKeys } from "./casing.js";
import { contentMd5, contentType, filename, metadata, orAbsent, size, tenantId } from "./members.js";

const uploadMembers = {
  filename,
  content_type: orAbsent(contentType),
  size: orAbsent(size),
  content_md5: orAbsent(contentMd5),
  metadata: orAbsent(metadata),
};

const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object(shape, { error: "Request body must be a JSON object" });

/** Body of `POST /api/storage/upload/`, turned into camelCase. The first member named is the first one refused. */
export const uploadRequest = object({
  filename: uploadMembers.filename,
  tenant_id: tenantId,
  content_type: uploadMembers.content_type,
  size: uploadMembers.size,
  content_md5: uploadMembers.content_md5,
  metadata: uploadMembers.metadata,
}).transform(camelKeys);
export type UploadRequest = z.output<typeof uploadRequest>;
/** The body as it is written on the wire. */
export type UploadRequestBody = z.input<typeof uploadRequest>;

/** Answer of `POST /api/storage/upload/`. */
export const uploadResponse = z.object({
  presigned_url: z
    .string()
    .describe("Where to PUT the bytes. Time-limited, and as good as a password until then."),
  file_path: z.string().describe("The permanent identifier of the file: save it."),
  tenant_id: z.string(),
  is_new_tenant: z.boolean().describe("True for exactly one request of a tenant_id's life."),
  content_type: z.string(),
  headers: z
    .record(z.string(), z.string())
    .describe(
      "Exactly the headers that the PUT must carry; Content-Length, which every client sets by itself, is not listed.",
    ),
  expires_at: z.string().describe("RFC 3339, UTC."),
  max_bytes: z.int().describe("Bytes that may be sent: the given size, or the project's largest file."),
});
export type UploadResponse = z.infer<typeof uploadResponse>;
