import * as z from "zod";
import { camelKeys } from "../casing.js";
import { downloadOptions } from "../download-options.js";
import { expiresAfter, filePath, optionalField, ownerTenantId, requestBody } from "../fields.js";
import type { About, Call } from "../call.js";
import { limits } from "../limits.js";
import { link } from "../link.js";
import { textField } from "../text-field.js";

/** Body of `POST /api/storage/links/`. */
export const createLinkRequest = requestBody({
  file_path: filePath,
  tenant_id: optionalField(ownerTenantId),
  expires_after: optionalField(expiresAfter.describe("Seconds until the link ends. Default: it has no end.")),
  max_downloads: optionalField(
    z
      .int({ error: "max_downloads must be a whole number" })
      .min(1, { error: "max_downloads must be at least 1" })
      .max(limits.linkDownloads, { error: `max_downloads must be at most ${limits.linkDownloads}` })
      .describe("How often the link can be used. Default: no limit."),
  ),
  password: optionalField(
    textField("password", { max: limits.linkPasswordLength, min: limits.minLinkPasswordLength }).describe(
      `${limits.minLinkPasswordLength} to ${limits.linkPasswordLength} characters, which the link's page asks for.`,
    ),
  ),
  disposition: downloadOptions.disposition,
}).transform(camelKeys);
export type CreateLinkRequest = z.output<typeof createLinkRequest>;

/** Answer of `POST /api/storage/links/`. */
export const createLinkResponse = link.extend({
  url: z
    .string()
    .describe("Everyone who has it can download the file. It is shown only here: the service keeps a hash."),
});
export type CreateLinkResponse = z.infer<typeof createLinkResponse>;

export const call = {
  method: "POST",
  path: "/api/storage/links/",
  body: createLinkRequest,
  answer: createLinkResponse,
} as const satisfies Call;

export const about = {
  tag: "Links",
  names: { body: "CreateLinkRequest", answer: "CreatedLink" },
  lane: "work",
  summary: "Create a share link",
  description:
    "Answers a URL below /s/ of DASHBOARD_URL. Each GET of it counts as a download and redirects to a URL of 60 seconds. It answers 404 when the link has ended, was revoked or has no downloads left, and while its file is not stored, not scanned or in quarantine. Links end with their file, which can have 1,000 that work.",
  errors: ["tenant_id_required", "file_not_found"],
  example: { file_path: "$FILE_PATH", expires_after: 604800, max_downloads: 5 },
} as const satisfies About;
