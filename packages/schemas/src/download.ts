import * as z from "zod";
import { camelKeys } from "./casing.js";
import { type ErrorCode, errorCatalogue } from "./errors.js";
import { filePath, optionalField, ownerTenantId, presetName, timestamp } from "./fields.js";
import { filePathList } from "./file-paths.js";
import { limits } from "./limits.js";
import { textField } from "./text-field.js";

export const dispositions = ["attachment", "inline"] as const;
export type Disposition = (typeof dispositions)[number];

/** The members of both requests. If there is a tenant_id, it must own the files. */
const options = {
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
  variant: optionalField(
    presetName.describe(
      "The name of an image preset of the project: the URL reads the variant of the image in place of the file. While it is being made, the answer is variant_pending.",
    ),
  ),
  accept: optionalField(
    textField("accept", { max: limits.acceptLength }).describe(
      "The header Accept of the browser. A preset with the format auto then answers AVIF to browsers that show it, and WebP otherwise.",
    ),
  ),
  reuse: optionalField(
    z
      .boolean({ error: "reuse must be true or false" })
      .describe(
        "Answers the same URL to every request within half of expires_in, so that browsers and CDNs can cache the file. The URL is valid for at least half of expires_in.",
      ),
  ),
};
const notAnObject = { error: "Request body must be a JSON object" };

/** Body of `POST /api/storage/download/`. */
export const downloadRequest = z
  .object({ file_path: filePath, ...options }, notAnObject)
  .transform(camelKeys);
export type DownloadRequest = z.output<typeof downloadRequest>;

/** Body of `POST /api/storage/downloads/`. Repeated paths count once. */
export const downloadsRequest = z
  .object(
    {
      file_paths: filePathList(limits.downloadPaths).describe("The files. Repeated paths count once."),
      ...options,
    },
    notAnObject,
  )
  .transform(({ file_paths, ...rest }) => ({ ...camelKeys(rest), filePaths: [...new Set(file_paths)] }));
export type DownloadsRequest = z.output<typeof downloadsRequest>;

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

/** Answer of `POST /api/storage/downloads/`. Each requested path is in one of the lists, in the order of the request. */
export const downloadsResponse = z.object({
  downloads: z.array(downloadResponse),
  not_found: z.array(z.string()),
  refused: z
    .array(
      z.object({
        file_path: z.string(),
        code: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
        detail: z.string(),
        retry_after: z
          .int()
          .describe("Seconds after which the same request may succeed. Missing if that is not known.")
          .optional(),
      }),
    )
    .describe(
      "Files that exist and may not be downloaded, for example because they are not scanned yet. Missing if there are none.",
    )
    .optional(),
});
export type DownloadsResponse = z.infer<typeof downloadsResponse>;
