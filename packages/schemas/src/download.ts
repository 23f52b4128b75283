import * as z from "zod";
import { camelKeys } from "./casing.js";
import { limits } from "./limits.js";
import { filePath, orAbsent, owner } from "./members.js";
import { wireText } from "./text.js";

export const dispositions = ["attachment", "inline"] as const;
export type Disposition = (typeof dispositions)[number];

/** Body of `POST /api/storage/download/`. A tenant_id given beside the path must own it. */
export const downloadRequest = z
  .object(
    {
      file_path: filePath,
      tenant_id: orAbsent(owner),
      expires_in: orAbsent(
        z
          .int({ error: "expires_in must be a whole number of seconds" })
          .min(1, { error: "expires_in must be at least 1 second" })
          .max(limits.maxDownloadUrlSeconds, {
            error: `expires_in must be at most ${limits.maxDownloadUrlSeconds} seconds`,
          })
          .describe(`Seconds for which the URL is good; ${limits.downloadUrlSeconds} when left out.`),
      ),
      disposition: orAbsent(
        z
          .enum(dispositions, { error: `disposition must be one of ${dispositions.join(", ")}` })
          .describe(
            "attachment, when left out, is saved; inline is shown, where the type cannot do harm: raster images, PDF, audio, video, plain text.",
          ),
      ),
      filename: orAbsent(
        wireText("filename", { max: limits.filenameLength, normalize: "NFC" })
          .transform((name) => (name.trim() === "" ? undefined : name))
          .describe("What the download is called, in place of the file's own name."),
      ),
    },
    { error: "Request body must be a JSON object" },
  )
  .transform(camelKeys);
export type DownloadRequest = z.output<typeof downloadRequest>;

/** Answer of `POST /api/storage/download/`. */
export const downloadResponse = z.object({
  presigned_url: z.string().describe("Whoever has it can read the file until it expires."),
  file_path: z.string(),
  filename: z.string().describe("The name under which the bytes are saved."),
  content_type: z
    .string()
    .describe(
      "The file's own type. Storage answers application/octet-stream for types that a browser would run.",
    ),
  size: z.int().describe("Bytes."),
  expires_at: z.string().describe("RFC 3339, UTC."),
});
export type DownloadResponse = z.infer<typeof downloadResponse>;
