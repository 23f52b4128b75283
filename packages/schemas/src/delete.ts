import * as z from "zod";
import { limits } from "./limits.js";
import { filePath, optionalField, ownerTenantId } from "./fields.js";
import { textField } from "./text-field.js";

const eachPath = textField("each of file_paths", { max: limits.objectKeyBytes, required: true });
/** Several paths of one request. */
export const filePaths = z
  .array(eachPath, { error: "file_paths must be a list of strings" })
  .min(1, { error: "file_paths must have at least 1 path" })
  .max(limits.deletePaths, { error: `file_paths must have at most ${limits.deletePaths} paths` })
  .describe("Several paths in place of file_path. Some of them may be deleted already.");

/** A request names one file or several, not both and not none. */
export const hasPaths = (body: Paths) => body.file_path !== undefined || body.file_paths !== undefined;
export const NO_PATHS = { error: "file_path or file_paths is required" };
export const hasOneKindOfPaths = (body: Paths) =>
  body.file_path === undefined || body.file_paths === undefined;
export const BOTH_PATHS = { error: "file_path and file_paths must not be given together" };

interface Paths {
  file_path?: string | undefined;
  file_paths?: string[] | undefined;
}

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
      file_path: optionalField(filePath),
      file_paths: optionalField(filePaths),
      tenant_id: optionalField(ownerTenantId),
      purge: optionalField(purge),
    },
    { error: "Request body must be a JSON object" },
  )
  .refine(hasPaths, NO_PATHS)
  .refine(hasOneKindOfPaths, BOTH_PATHS)
  .transform((body) => ({
    paths: [...new Set(body.file_paths ?? [body.file_path as string])],
    mustExist: body.file_path !== undefined,
    tenantId: body.tenant_id,
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
