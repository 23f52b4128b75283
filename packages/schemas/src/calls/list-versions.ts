import * as z from "zod";
import { camelKeys } from "../casing.js";
import { filePath, ownerTenantId } from "../fields.js";
import { file } from "../file.js";
import type { About, Call } from "../call.js";

/** Query of `GET /api/storage/versions/`. If there is a tenant_id, it must own the file. */
export const listVersionsQuery = z
  .object({
    file_path: filePath.describe("The file, not one of its versions."),
    tenant_id: ownerTenantId.optional(),
  })
  .transform(camelKeys);
export type ListVersionsQuery = z.output<typeof listVersionsQuery>;

/** Answer of `GET /api/storage/versions/`: the files that it replaced, the last one first. */
export const listVersionsResponse = z.object({ versions: z.array(file) });
export type ListVersionsResponse = z.infer<typeof listVersionsResponse>;

export const call = {
  method: "GET",
  path: "/api/storage/versions/",
  query: listVersionsQuery,
  answer: listVersionsResponse,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { answer: "VersionList" },
  lane: "list",
  summary: "List the versions of a file, the last one first",
  description:
    "A version is a file that this file replaced, directly or through others, and that is still in the trash. There are at most as many as the project keeps. Download one with the member version of a download request.",
  errors: ["tenant_id_required", "file_not_found"],
  example: { file_path: "$FILE_PATH" },
} as const satisfies About;
