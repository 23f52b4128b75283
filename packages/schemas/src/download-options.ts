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
        "attachment (the default) saves the file. inline shows raster images, PDF, audio, video, and text, CSV and Markdown as plain text.",
      ),
  ),
  filename: optionalField(
    textField("filename", { max: limits.filenameLength, normalize: "NFC" })
      .transform((name) => (name.trim() === "" ? undefined : name))
      .describe("Name of the download, in place of the file's own name."),
  ),
  variant: optionalField(
    presetName.describe("An image preset of the project: the URL reads this variant of the image."),
  ),
  accept: optionalField(
    textField("accept", { max: limits.acceptLength }).describe(
      "The browser's header Accept. With the format auto, browsers that show AVIF get it.",
    ),
  ),
  reuse: optionalField(
    z
      .boolean({ error: "reuse must be true or false" })
      .describe(
        "Answers the same URL within half of expires_in, so that the file can be cached. The URL is valid for at least half of expires_in.",
      ),
  ),
};
