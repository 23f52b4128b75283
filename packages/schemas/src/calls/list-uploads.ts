import * as z from "zod";
import { camelKeys } from "../casing.js";
import { tenantId, pageLimit, cursor } from "../fields.js";
import { file } from "../file.js";
import type { About, Call } from "../call.js";
import { partLayout } from "../part-layout.js";

/** Query of `GET /api/storage/uploads/`. */
export const listUploadsQuery = z
  .object({ tenant_id: tenantId, limit: pageLimit, cursor: cursor.optional() })
  .transform(camelKeys);
export type ListUploadsQuery = z.output<typeof listUploadsQuery>;

/** A multipart upload that is not complete. */
export const openUpload = file.extend({
  ...partLayout,
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

export const call = {
  method: "GET",
  path: "/api/storage/uploads/",
  query: listUploadsQuery,
  answer: listUploadsResponse,
} as const satisfies Call;

export const about = {
  tag: "Uploads",
  names: { answer: "OpenUploadList" },
  lane: "list",
  summary: "List the open uploads by parts of a tenant, newest first",
  description:
    "Uploads that any device can continue. parts_stored and bytes_stored are some seconds old. A page can be short or empty and still have a next page.",
  errors: ["tenant_id_required"],
  example: { tenant_id: "user_42" },
} as const satisfies About;
