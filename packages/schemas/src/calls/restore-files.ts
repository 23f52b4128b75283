import * as z from "zod";
import { requestBody } from "../fields.js";
import {
  BOTH_PATHS,
  fileSelection,
  hasOneKindOfPaths,
  hasPaths,
  NO_PATHS,
  toSelection,
} from "../file-paths.js";
import { file } from "../file.js";
import { limits } from "../limits.js";
import type { About, Call } from "../call.js";

/**
 * Body of `POST /api/storage/restore/`: one path, which must be in the trash, or a list. If there is a tenant_id, it must own every
 * file.
 */
export const restoreRequest = requestBody(fileSelection)
  .refine(hasPaths, NO_PATHS)
  .refine(hasOneKindOfPaths, BOTH_PATHS)
  .transform(toSelection);
export type RestoreRequest = z.output<typeof restoreRequest>;

/** What a restore of several paths answers: each requested path is in one of the lists, in the order of the request. */
export const restoredFiles = z.object({ restored: z.array(z.string()), not_found: z.array(z.string()) });
export type RestoredFiles = z.infer<typeof restoredFiles>;

/** Answer of `POST /api/storage/restore/`: the file of a `file_path`, or what happened to the `file_paths`. */
export const restoreResponse = z.union([file, restoredFiles]);
export type RestoreResponse = z.infer<typeof restoreResponse>;

export const call = {
  method: "POST",
  path: "/api/storage/restore/",
  body: restoreRequest,
  bodyBytes: limits.deleteBodyBytes,
  answer: restoreResponse,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { body: "RestoreRequest", answer: "RestoreAnswer" },
  lane: "work",
  summary: "Restore one file from the trash, or up to 1000",
  description:
    "Takes file_path or file_paths, not both. The answer to a file_path is the file, or 404 if it is not in the trash. The answer to file_paths lists restored files, and the others in not_found. A file that expired in the trash has no expiry any more.",
  errors: ["tenant_id_required", "file_not_found"],
  example: { file_path: "$FILE_PATH" },
} as const satisfies About;
