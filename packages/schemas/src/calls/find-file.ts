import * as z from "zod";
import { camelKeys } from "../casing.js";
import { filePath, ownerTenantId } from "../fields.js";
import { file } from "../file.js";
import type { About, Call } from "../call.js";

/** Query of `GET /api/storage/file/`. If there is a tenant_id, it must own the file. */
export const findFileQuery = z
  .object({ file_path: filePath, tenant_id: ownerTenantId.optional() })
  .transform(camelKeys);
export type FindFileQuery = z.output<typeof findFileQuery>;

export const call = {
  method: "GET",
  path: "/api/storage/file/",
  query: findFileQuery,
  answer: file,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { answer: "File" },
  lane: "read",
  summary: "Read one file",
  description: "Answers the recorded file. For a pending file, the service asks storage first.",
  errors: ["tenant_id_required", "file_not_found"],
  example: { file_path: "$FILE_PATH" },
} as const satisfies About;
