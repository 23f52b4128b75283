import * as z from "zod";
import { camelKeys } from "../casing.js";
import { tenantId, pageLimit, cursor, searchText } from "../fields.js";
import { fileFilters } from "../file-filters.js";
import { file, fileStatuses } from "../file.js";
import type { About, Call } from "../call.js";

/** Query of `GET /api/storage/files/`. */
export const listFilesQuery = z
  .object({
    tenant_id: tenantId.optional(),
    status: z
      .enum(fileStatuses, { error: `status must be one of ${fileStatuses.join(", ")}` })
      .describe("Without it, the list has no files in the trash: trashed lists them.")
      .optional(),
    q: searchText.optional(),
    ...fileFilters,
    limit: pageLimit,
    cursor: cursor.optional(),
  })
  .transform(camelKeys);
export type ListFilesQuery = z.output<typeof listFilesQuery>;

/** Answer of `GET /api/storage/files/`, newest first. */
export const listFilesResponse = z.object({ files: z.array(file), next_cursor: z.string().nullable() });
export type ListFilesResponse = z.infer<typeof listFilesResponse>;

export const call = {
  method: "GET",
  path: "/api/storage/files/",
  query: listFilesQuery,
  answer: listFilesResponse,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { answer: "FileList" },
  lane: "list",
  summary: "List files, newest first",
  description:
    "Pass next_cursor as cursor to get the next page; it is null on the last page. A page with q, metadata, folder_below, content_type, size_from or size_to, or with folder and no tenant_id, can be short or empty and still have a next page. A cursor belongs to the filters that it was made with.",
  errors: ["tenant_id_required"],
  example: { tenant_id: "user_42", status: "stored", limit: 10 },
} as const satisfies About;
