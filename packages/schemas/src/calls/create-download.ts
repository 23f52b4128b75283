import * as z from "zod";
import { camelKeys } from "../casing.js";
import { downloadOptions } from "../download-options.js";
import { filePath, optionalField, timestamp, requestBody, versionPath } from "../fields.js";
import type { About, Call } from "../call.js";

/** Body of `POST /api/storage/download/`. */
export const downloadRequest = requestBody({
  file_path: filePath,
  version: optionalField(
    versionPath.describe("The file_path of a version of the file: the URL reads its bytes."),
  ),
  ...downloadOptions,
}).transform(camelKeys);
export type DownloadRequest = z.output<typeof downloadRequest>;

/** Answer of `POST /api/storage/download/`. */
export const downloadResponse = z.object({
  presigned_url: z.string().describe("Anyone who has this URL can read the file until it expires."),
  file_path: z.string(),
  filename: z.string().describe("The name under which the bytes are saved."),
  content_type: z
    .string()
    .describe(
      "The type of the file. For types that a browser would run, storage answers application/octet-stream instead.",
    ),
  size: z.int().describe("Bytes."),
  expires_at: timestamp,
  public_url: z
    .string()
    .describe(
      "Where everyone can read a public file, or the variant of a public file. Missing while it is on its way to the public bucket.",
    )
    .optional(),
});
export type DownloadResponse = z.infer<typeof downloadResponse>;

export const call = {
  method: "POST",
  path: "/api/storage/download/",
  body: downloadRequest,
  answer: downloadResponse,
} as const satisfies Call;

export const about = {
  tag: "Downloads",
  names: { body: "DownloadRequest", answer: "Download" },
  lane: "read",
  summary: "Request a download URL",
  description:
    "Answers a URL that reads one file, as soon as storage has answered its PUT. Types that a browser would run, such as HTML, SVG and XML, are always sent as an attachment of type application/octet-stream. With reuse, caches may keep the file until the URL expires. Repeat a request that is answered with variant_pending.",
  errors: [
    "tenant_id_required",
    "file_not_found",
    "file_not_scanned",
    "file_quarantined",
    "preset_not_found",
    "variant_pending",
    "variant_impossible",
    "variant_failed",
  ],
  example: { file_path: "$FILE_PATH", tenant_id: "user_42", expires_in: 300 },
} as const satisfies About;
