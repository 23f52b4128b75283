import { type CompleteRequest, StowageError } from "@stowage/schemas";
import type { Project } from "#projects/find-project.js";
import type { FileRecord } from "#files/file-record.js";
import { findFile, findFileRow } from "#files/find-file.js";
import { settleSeen, type SettleUploadDeps } from "./settle-upload.js";

export type CompleteUploadDeps = SettleUploadDeps;

/**
 * The customer says that the bytes are there. Nobody's word is taken: it only makes the service look. Safe to repeat.
 *
 * @throws {StowageError} `file_not_found`, `upload_not_found` while storage holds nothing,
 * `quota_exceeded` when the bytes came after the URL lapsed and their place is taken, `unavailable`
 */
export async function completeUpload(
  deps: CompleteUploadDeps,
  project: Project,
  input: CompleteRequest,
): Promise<FileRecord> {
  const outcome = await settleSeen(deps, await findFileRow(deps, project, input));
  if (outcome === "absent") throw new StowageError("upload_not_found");
  if (outcome === "removing") throw new StowageError("quota_exceeded");
  return findFile(deps, project, input);
}
