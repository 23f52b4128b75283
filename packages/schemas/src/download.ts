import * as z from "zod";
import { camelKeys } from "./casing.js";
import { limits } from "./limits.js";
import { filePath, optionalField, ownerTenantId } from "./fields.js";
import { textField } from "./text-field.js";

export const dispositions = ["attachment", "inline"] as const;
export type Disposition = (typeof dispositions)[number];

/** Body of `POST /api/storage/download/`. If there is a tenant_id, it must own the file. */
export const downloadRequest = z
  .object(
    {
      file_path: filePath,
      tenant_id: optionalField(ownerTenantId),
      expires_in: optionalField(
        z
          .int({ error: "expires_in must be a whole number of seconds" })
          .min(1, { error: "expires_in must be at least 1 second" })
          .max(limits.maxDownloadUrlSeconds, {
            error: `expires_in must be at most ${limits.maxDownloadUrlSeconds} seconds`,
          })
          .describe(`Seconds until the URL expires. Default: ${limits.downloadUrlSeconds}.`),
      ),
      disposition: optionalField(
        z
          .enum(dispositions, { error: `disposition must be one of ${dispositions.join(", ")}` })
          .describe(
            "attachment (the default) saves the file. inline shows it, if its type cannot run scripts: raster images, PDF, audio, video and plain text.",
          ),
      ),
      filename: optionalField(
        textField("filename", { max: limits.filenameLength, normalize: "NFC" })
          .transform((name) => (name.trim() === "" ? undefined : name))
          .describe("Name of the download, in place of the file's own name."),
      ),
    },
    { error: "Request body must be a JSON object" },
  )
  .transform(camelKeys);
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
  expires_at: z.string().describe("RFC 3339, UTC."),
});
export type DownloadResponse = z.infer<typeof downloadResponse>;
