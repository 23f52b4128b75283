import * as z from "zod";
import { camelKeys } from "./casing.js";
import { limits } from "./limits.js";
import { filePath, orAbsent, tenantId } from "./members.js";
import { wireText } from "./text.js";

export const dispositions = ["attachment", "inline"] as const;
export type Disposition = (typeof dispositions)[number];

/** Body of `POST /api/storage/download/`. A tenant_id given beside the path must own it. */
export const downloadRequest = z
  .object(
    {
      file_path: filePath,
      tenant_id: orAbsent(tenantId),
      expires_in: orAbsent(
        z
          .int({ error: "expires_in must be a whole number of seconds" })
          .min(1, { error: "expires_in must be at least 1 second" })
          .max(limits.maxDownloadUrlSeconds, {
            error: `expires_in must be at most ${limits.maxDownloadUrlSeconds} seconds`,
          }),
      ),
      disposition: orAbsent(
        z.enum(dispositions, { error: `disposition must be one of ${dispositions.join(", ")}` }),
      ),
      /** What the download is called, in place of the file's own name. Blank is the same as not given. */
      filename: orAbsent(
        wireText("filename", { max: limits.filenameLength, normalize: "NFC" }).transform((name) =>
          name.trim() === "" ? undefined : name,
        ),
      ),
    },
    { error: "Request body must be a JSON object" },
  )
  .transform(camelKeys);
export type DownloadRequest = z.output<typeof downloadRequest>;

/** Answer of `POST /api/storage/download/`. */
export const downloadResponse = z.object({
  /** Whoever has it can read the file until it expires. */
  presigned_url: z.string(),
  file_path: z.string(),
  /** The name under which the bytes are saved. */
  filename: z.string(),
  /** The file's own type. Storage answers application/octet-stream for types that a browser would run. */
  content_type: z.string(),
  /** Bytes. */
  size: z.number(),
  /** RFC 3339, UTC. */
  expires_at: z.string(),
});
export type DownloadResponse = z.infer<typeof downloadResponse>;
