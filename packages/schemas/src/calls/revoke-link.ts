import type * as z from "zod";
import { camelKeys } from "../casing.js";
import { filePath, optionalField, ownerTenantId, requestBody } from "../fields.js";
import type { About, Call } from "../call.js";
import { limits } from "../limits.js";
import { link } from "../link.js";
import { textField } from "../text-field.js";

/** Body of `POST /api/storage/links/revoke/`. */
export const revokeLinkRequest = requestBody({
  link_id: textField("link_id", { max: limits.linkIdLength, required: true }).describe(
    "Of the created link.",
  ),
  tenant_id: optionalField(ownerTenantId),
  file_path: optionalField(filePath.describe("The file that the link must share.")),
}).transform(camelKeys);
export type RevokeLinkRequest = z.output<typeof revokeLinkRequest>;

export const call = {
  method: "POST",
  path: "/api/storage/links/revoke/",
  body: revokeLinkRequest,
  answer: link,
} as const satisfies Call;

export const about = {
  tag: "Links",
  names: { body: "RevokeLinkRequest", answer: "Link" },
  lane: "work",
  summary: "Revoke a share link",
  description:
    "Removes the link and answers what it was. From then on its URL answers 404. A download URL to which it redirected before works until its 60 seconds are over.",
  errors: ["tenant_id_required", "link_not_found"],
  example: { link_id: "$LINK_ID" },
} as const satisfies About;
