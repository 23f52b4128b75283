import { type CompleteRequest, StowageError } from "@stowage/schemas";
import type { Project } from "#projects/find-project.js";
import type { FileRecord } from "#files/file-record.js";
import { findFile, findFileRow } from "#files/find-file.js";
import { settleFile, type SettleUploadDeps } from "./settle-upload.js";

export type CompleteUploadDeps = SettleUploadDeps;

/**
 * Handles the customer's message that the bytes have been uploaded. The service does not trust the message: it checks storage and
 * records what it finds. Safe to repeat.
 *
 * @throws {StowageError} `file_not_found`; `upload_not_found` while storage has no object; `quota_exceeded` if the bytes arrived
 * after the upload had expired and no longer fit the quota; `unavailable`
 */
export async function completeUpload(
  deps: CompleteUploadDeps,
  project: Project,
  input: CompleteRequest,
): Promise<FileRecord> {
  const outcome = await settleFile(deps, await findFileRow(deps, project, input));
  if (outcome === "absent") throw new StowageError("upload_not_found");
  if (outcome === "removing") throw new StowageError("quota_exceeded");
  return findFile(deps, project, input);
}
