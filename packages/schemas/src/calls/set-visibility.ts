import type * as z from "zod";
import { camelKeys } from "../casing.js";
import { visibility, filePath, ownerTenantId, optionalField, requestBody } from "../fields.js";
import { file } from "../file.js";
import type { About, Call } from "../call.js";

/** Body of `POST /api/storage/visibility/`. */
export const visibilityRequest = requestBody({
  file_path: filePath,
  tenant_id: optionalField(ownerTenantId),
  visibility: visibility.describe("Who may read the file: public or private."),
}).transform(camelKeys);
export type VisibilityRequest = z.output<typeof visibilityRequest>;

export const call = {
  method: "POST",
  path: "/api/storage/visibility/",
  body: visibilityRequest,
  answer: file,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { body: "VisibilityRequest", answer: "File" },
  lane: "read",
  summary: "Make a file public, or private again",
  description:
    "Everyone can read a public file at its public_url. The service moves its object to the public bucket, usually before the call answers; a file that is not stored or scanned yet follows when it is. It moves a private file back before the call answers: then its public_url answers 403 or 404, and the CDN is purged. If storage does not answer, the call is answered with 503, and the service continues. Download URLs that were signed before a move stop working. Types that a browser would run cannot be public. It is safe to repeat.",
  errors: ["tenant_id_required", "file_not_found"],
  example: { file_path: "$FILE_PATH", visibility: "public" },
} as const satisfies About;
