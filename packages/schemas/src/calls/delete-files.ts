import * as z from "zod";
import { optionalField, requestBody } from "../fields.js";
import {
  BOTH_PATHS,
  fileSelection,
  hasOneKindOfPaths,
  hasPaths,
  NO_PATHS,
  toSelection,
} from "../file-paths.js";
import { limits } from "../limits.js";
import type { About, Call } from "../call.js";

const purge = z
  .boolean({ error: "purge must be true or false" })
  .describe("Deletes for good: the files do not go to the trash, and files in the trash are deleted too.");

const trashOnly = z
  .boolean({ error: "trash_only must be true or false" })
  .describe(
    "Deletes nothing for good: only stored files are taken, and the request is refused if the project has no trash.",
  );

/**
 * Body of `POST /api/storage/delete/`: one path, which must exist, or a list in which some files may be deleted already.
 * Repeated paths count once. If there is a tenant_id, it must own every file.
 */
export const deleteRequest = requestBody({
  ...fileSelection,
  purge: optionalField(purge),
  trash_only: optionalField(trashOnly),
})
  .refine(hasPaths, NO_PATHS)
  .refine(hasOneKindOfPaths, BOTH_PATHS)
  .refine(({ purge, trash_only }) => !(purge && trash_only), {
    error: "purge and trash_only exclude each other",
  })
  .transform((body) => ({
    ...toSelection(body),
    ...(body.purge && { purge: true }),
    ...(body.trash_only && { trashOnly: true }),
  }));
export type DeleteRequest = z.output<typeof deleteRequest>;

/** Answer of `POST /api/storage/delete/`. Each requested path is in one of the lists, in the order of the request. */
export const deleteResponse = z.object({
  deleted: z.array(z.string()),
  not_found: z.array(z.string()),
  on_hold: z
    .array(z.string())
    .describe("Files that were kept because they are on hold. Missing if there are none.")
    .optional(),
});
export type DeleteResponse = z.infer<typeof deleteResponse>;

export const call = {
  method: "POST",
  path: "/api/storage/delete/",
  body: deleteRequest,
  bodyBytes: limits.deleteBodyBytes,
  answer: deleteResponse,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { body: "DeleteRequest", answer: "DeletedFiles" },
  lane: "work",
  summary: "Delete one file, or up to 1000",
  description:
    "Takes file_path or file_paths, not both. An unknown file_path is answered with 404; unknown file_paths are in not_found. If the project has a trash, stored files go there: they still count, and can be restored until they are purged. Otherwise, and with purge, usage is lower at once; with trash_only, a project without a trash answers 400. A file on hold is kept: a file_path is answered with 409, and file_paths are in on_hold. Deleting an upload whose bytes have not arrived releases its reservation.",
  errors: ["tenant_id_required", "file_not_found", "file_on_hold"],
  example: { file_path: "$FILE_PATH" },
} as const satisfies About;
