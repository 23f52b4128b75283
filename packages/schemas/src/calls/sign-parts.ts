import * as z from "zod";
import { camelKeys } from "../casing.js";
import {
  partNumber,
  contentMd5,
  filePath,
  timestamp,
  ownerTenantId,
  optionalField,
  requestBody,
} from "../fields.js";
import { limits } from "../limits.js";
import type { About, Call } from "../call.js";

const wantedPart = requestBody({ number: partNumber, content_md5: optionalField(contentMd5) });

/** Body of `POST /api/storage/uploads/parts/`. If there is a tenant_id, it must own the upload. */
export const signPartsRequest = requestBody({
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

export const call = {
  method: "POST",
  path: "/api/storage/uploads/parts/",
  body: signPartsRequest,
  answer: signPartsResponse,
} as const satisfies Call;

export const about = {
  tag: "Uploads",
  names: { body: "SignPartsRequest", answer: "SignedPartList" },
  lane: "upload",
  summary: "Request the URLs of parts",
  description:
    "Answers a URL for the PUT of each part, in the order of the request. A URL expires after one hour at most, or with the upload: request it right before its part is sent. Storage refuses any other length than size and, with content_md5, other bytes. A part that is sent twice replaces the first one.",
  errors: ["tenant_id_required", "file_not_found", "upload_already_stored", "upload_expired"],
  example: { file_path: "$UPLOAD_PATH", parts: [{ number: 3 }] },
} as const satisfies About;
