import { type CompleteRequest, StowageError } from "@stowage/schemas";
import type { Project } from "#projects/find-project.js";
import type { FileRecord } from "./file-record.js";
import { findFile } from "./find-file.js";
import { settleUpload, type SettleUploadDeps } from "./settle-upload.js";

export type CompleteUploadDeps = SettleUploadDeps;

/**
 * The customer says that the bytes are there. Nobody's word is taken: it only makes the service look. Safe to repeat.
 *
 * @throws {StowageError} `file_not_found`, `upload_not_found` while storage holds nothing, `unavailable`
 */
export async function completeUpload(
  deps: CompleteUploadDeps,
  project: Project,
  input: CompleteRequest,
): Promise<FileRecord> {
  await findFile(deps, project, input);
  const isThere = await settleUpload(deps, project.id, input.filePath);
  if (!isThere) throw new StowageError("upload_not_found");
  return findFile(deps, project, input);
}
