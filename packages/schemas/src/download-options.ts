import * as z from "zod";
import { optionalField, ownerTenantId, presetName } from "./fields.js";
import { limits } from "./limits.js";
import { textField } from "./text-field.js";

export const dispositions = ["attachment", "inline"] as const;
export type Disposition = (typeof dispositions)[number];

/** The members of requests for download URLs. If there is a tenant_id, it must own the files. */
export const downloadOptions = {
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
        "attachment (the default) saves the file. inline shows it, if its type cannot run scripts: raster images, PDF, audio, video, and text, CSV and Markdown as plain text.",
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
