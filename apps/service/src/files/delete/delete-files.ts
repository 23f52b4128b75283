import { type DeleteRequest, StowageError } from "@stowage/schemas";
import type { Project } from "#projects/find-project.js";
import { markDeleting } from "./mark-deleting.js";
import type { RemoveObjectDeps } from "./remove-object.js";
import { removeObjects } from "./remove-objects.js";

export type DeleteFilesDeps = RemoveObjectDeps;

export interface DeletedFiles {
  deleted: string[];
  notFound: string[];
}

/**
 * Deletes files at the customer's word, whatever state they are in; for the caller that is done as soon as the one transaction
 * is: usage falls, reservations return, downloads stop. The objects go right after.
 *
 * @throws {StowageError} `file_not_found` for a single unknown path; `unavailable`, and then nothing was deleted
 */
export async function deleteFiles(
  deps: DeleteFilesDeps,
  project: Project,
  input: DeleteRequest,
): Promise<DeletedFiles> {
  const { paths, tenantId, mustExist } = input;
  const doomed = await markDeleting(deps, project, { paths, tenantId, actor: "customer" });
  if (mustExist && doomed.length === 0) throw new StowageError("file_not_found");
  const known = new Set(doomed.map((file) => file.path));
  const deleted = paths.filter((path) => known.has(path));
  await removeObjects(deps, project, deleted);
  return { deleted, notFound: paths.filter((path) => !known.has(path)) };
}
