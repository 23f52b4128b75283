import { type DeleteRequest, StowageError } from "@stowage/schemas";
import type { Project } from "#projects/find-project.js";
import type { SettleUploadDeps } from "#files/settle/settle-upload.js";
import { markDeleting } from "#files/end/mark-deleting.js";
import { recordBeforeDelete } from "./record-before-delete.js";
import { type RemoveObjectDeps, removeObjects } from "./remove-objects.js";

export type DeleteFilesDeps = RemoveObjectDeps & SettleUploadDeps;

export interface DeletedFiles {
  deleted: string[];
  notFound: string[];
  /** Files that were kept because they are on hold. Missing if there are none. */
  onHold?: string[];
}

/**
 * Deletes files at the customer's request, regardless of their status. Pending files whose bytes have arrived are recorded first.
 * The delete takes effect with its one transaction: downloads stop and reservations are returned. If the project has a trash, stored
 * files are moved there and still count. Otherwise usage falls, and the objects are removed right after.
 *
 * @throws {StowageError} `file_not_found` or `file_on_hold` for a single path; `invalid_request` with `trashOnly` in a project without a
 * trash; `unavailable`. Then nothing was deleted
 */
export async function deleteFiles(
  deps: DeleteFilesDeps,
  project: Project,
  input: DeleteRequest,
): Promise<DeletedFiles> {
  const { paths, tenantId, mustExist, purge, trashOnly } = input;
  const removing = await recordBeforeDelete(deps, project, { paths, tenantId });
  const ended = await markDeleting(deps, project, { paths, tenantId, purge, trashOnly, actor: "customer" });
  const onHold = pathsOf(ended.onHold);
  const deleted = new Set([...removing, ...pathsOf(ended.deleting), ...pathsOf(ended.trashed)]);
  if (mustExist && onHold.length > 0) throw new StowageError("file_on_hold");
  if (mustExist && deleted.size === 0) throw new StowageError("file_not_found");
  await removeObjects(deps, project, [...removing, ...pathsOf(ended.deleting)]);
  const known = new Set([...deleted, ...onHold]);
  return {
    deleted: paths.filter((path) => deleted.has(path)),
    notFound: paths.filter((path) => !known.has(path)),
    ...(onHold.length > 0 && { onHold }),
  };
}

const pathsOf = (files: { path: string }[]) => files.map(({ path }) => path);
