import * as z from "zod";
import { optionalField } from "./fields.js";
import {
  BOTH_PATHS,
  fileSelection,
  hasOneKindOfPaths,
  hasPaths,
  NO_PATHS,
  toSelection,
} from "./file-paths.js";

const purge = z
  .boolean({ error: "purge must be true or false" })
  .describe("Deletes for good: the files do not go to the trash, and files in the trash are deleted too.");

/**
 * Body of `POST /api/storage/delete/`: one path, which must exist, or a list in which some files may be deleted already.
 * Repeated paths count once. If there is a tenant_id, it must own every file.
 */
export const deleteRequest = z
  .object(
    {
      ...fileSelection,
      purge: optionalField(purge),
    },
    { error: "Request body must be a JSON object" },
  )
  .refine(hasPaths, NO_PATHS)
  .refine(hasOneKindOfPaths, BOTH_PATHS)
  .transform((body) => ({
    ...toSelection(body),
    ...(body.purge && { purge: true }),
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
