import * as z from "zod";
import { camelKeys } from "../casing.js";
import { filePath, cursor, ownerTenantId } from "../fields.js";
import type { About, Call } from "../call.js";
import { partLayout } from "../part-layout.js";

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
  ...partLayout,
});
export type ListPartsResponse = z.infer<typeof listPartsResponse>;

export const call = {
  method: "GET",
  path: "/api/storage/uploads/parts/",
  query: listPartsQuery,
  answer: listPartsResponse,
} as const satisfies Call;

export const about = {
  tag: "Uploads",
  names: { answer: "StoredPartList" },
  lane: "read",
  summary: "List the stored parts of an open upload",
  description:
    "Asks storage which parts it has now, in the order of their numbers. This call is enough to continue an upload. Compare a part before you leave it out: its etag is the MD5 of its bytes in hex, unless storage encrypts with SSE-KMS or SSE-C. Pass next_cursor as cursor to get the next page.",
  errors: ["tenant_id_required", "file_not_found", "upload_already_stored", "upload_expired"],
  example: { file_path: "$UPLOAD_PATH" },
} as const satisfies About;
