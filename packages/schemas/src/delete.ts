import * as z from "zod";
import { limits } from "./limits.js";
import { filePath, orAbsent, owner } from "./members.js";
import { wireText } from "./text.js";

const eachPath = wireText("each of file_paths", { max: limits.objectKeyBytes, required: true });
const filePaths = z
  .array(eachPath, { error: "file_paths must be a list of strings" })
  .min(1, { error: "file_paths must have at least 1 path" })
  .max(limits.deletePaths, { error: `file_paths must have at most ${limits.deletePaths} paths` })
  .describe("In place of file_path: several of them, of which some may be gone already.");

/**
 * Body of `POST /api/storage/delete/`: one path, which must be there, or a list, of which some may be gone already. Given
 * twice, a path counts once. A tenant_id beside them must own each.
 */
export const deleteRequest = z
  .object(
    { file_path: orAbsent(filePath), file_paths: orAbsent(filePaths), tenant_id: orAbsent(owner) },
    { error: "Request body must be a JSON object" },
  )
  .refine((body) => body.file_path !== undefined || body.file_paths !== undefined, {
    error: "file_path or file_paths is required",
  })
  .refine((body) => body.file_path === undefined || body.file_paths === undefined, {
    error: "file_path and file_paths must not be given together",
  })
  .transform((body) => ({
    paths: [...new Set(body.file_paths ?? [body.file_path as string])],
    mustExist: body.file_path !== undefined,
    tenantId: body.tenant_id,
  }));
export type DeleteRequest = z.output<typeof deleteRequest>;

/** Answer of `POST /api/storage/delete/`: every path that was asked for is in one of the two, in the order given. */
export const deleteResponse = z.object({ deleted: z.array(z.string()), not_found: z.array(z.string()) });
export type DeleteResponse = z.infer<typeof deleteResponse>;
