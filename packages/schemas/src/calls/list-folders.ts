import * as z from "zod";
import { camelKeys } from "../casing.js";
import { cursor, pageLimit, tenantId } from "../fields.js";
import { folderField } from "../folder.js";
import type { About, Call } from "../call.js";

/** Query of `GET /api/storage/folders/`. */
export const listFoldersQuery = z
  .object({
    tenant_id: tenantId,
    parent: folderField("parent")
      .describe('The folder whose folders are listed. Without it the root, "".')
      .default(""),
    limit: pageLimit,
    cursor: cursor.optional(),
  })
  .transform(camelKeys);
export type ListFoldersQuery = z.output<typeof listFoldersQuery>;

/** A folder with at least one file that counts, in it or below it. */
export const listedFolder = z.object({
  folder: z.string().describe("The whole name."),
  file_count: z.int().describe("Stored files and files in the trash, in the folder and below it."),
  used_bytes: z.int().describe("Their bytes."),
});

/** Answer of `GET /api/storage/folders/`, by name. */
export const listFoldersResponse = z.object({
  folders: z.array(listedFolder),
  next_cursor: z.string().nullable(),
});
export type ListFoldersResponse = z.infer<typeof listFoldersResponse>;

export const call = {
  method: "GET",
  path: "/api/storage/folders/",
  query: listFoldersQuery,
  answer: listFoldersResponse,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { answer: "FolderList" },
  lane: "list",
  summary: "List the folders of a tenant",
  description:
    "The folders directly in parent, sorted by the bytes of their names. A folder exists while a stored file or a file in the trash is in it or below it. Pass next_cursor as cursor to get the next page; it is null on the last page. A folder that is not there, and an unknown tenant, have no folders.",
  errors: ["tenant_id_required"],
  example: { tenant_id: "user_42", limit: 10 },
} as const satisfies About;
