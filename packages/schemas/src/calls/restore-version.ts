import type * as z from "zod";
import { camelKeys } from "../casing.js";
import { filePath, optionalField, ownerTenantId, requestBody, versionPath } from "../fields.js";
import { file } from "../file.js";
import type { About, Call } from "../call.js";

/** Body of `POST /api/storage/versions/restore/`. If there is a tenant_id, it must own the file. */
export const restoreVersionRequest = requestBody({
  file_path: filePath.describe("The file that the version replaces."),
  version: versionPath.describe("The file_path of one of its versions."),
  tenant_id: optionalField(ownerTenantId),
}).transform(camelKeys);
export type RestoreVersionRequest = z.output<typeof restoreVersionRequest>;

export const call = {
  method: "POST",
  path: "/api/storage/versions/restore/",
  body: restoreVersionRequest,
  answer: file,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { body: "RestoreVersionRequest", answer: "File" },
  lane: "work",
  summary: "Restore a version of a file",
  description:
    "The version is stored again, as it was and with its own file_path, and the file becomes its newest version, both or neither. A repeated call changes nothing and answers the same. Neither quota nor limits matter, because both count already.",
  errors: ["tenant_id_required", "file_not_found", "file_on_hold", "file_being_replaced"],
  example: { file_path: "$FILE_PATH", version: "$VERSION_PATH" },
} as const satisfies About;
