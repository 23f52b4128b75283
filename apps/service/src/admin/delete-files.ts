import type { DeleteFilesInput } from "@stowage/schemas/dashboard";
import type { ProjectCaller } from "#audit/caller.js";
import { type AuditEntry, auditedTransaction } from "#audit/write-audit.js";
import { type DeletingFile, markDeleting } from "#files/delete/delete-files.js";
import type { RemoveObjectDeps } from "#files/delete/remove-objects.js";
import { removeObjects } from "#files/delete/remove-objects.js";
import type { Project } from "#projects/find-project.js";

/** The ids of the input, each in one of the two lists, in the order of the input. */
export interface DeletedFileIds {
  deleted: number[];
  /** Includes files that another call deleted first. */
  notFound: number[];
}

/**
 * Deletes files of a project for an operator, as {@link deleteFiles} does for a customer. Each file has its audit entry. Safe to
 * repeat: files that are already deleted are not audited again.
 *
 * @throws {StowageError} `unavailable`, and then nothing was deleted
 */
export async function deleteFilesAsOperator(
  deps: RemoveObjectDeps,
  caller: ProjectCaller,
  { fileIds }: DeleteFilesInput,
): Promise<DeletedFileIds> {
  const { project } = caller;
  const files = await auditedTransaction(deps, caller, async (deps) => {
    const result = await markDeleting(deps, project, { fileIds, actor: caller.operator.email });
    return { result, entry: result.map((file) => auditEntryOf(project, file)) };
  });
  await removeObjects(
    deps,
    project,
    files.map((file) => file.path),
  );
  const deleted = new Set(files.map((file) => file.id));
  return {
    deleted: fileIds.filter((id) => deleted.has(id)),
    notFound: fileIds.filter((id) => !deleted.has(id)),
  };
}

/** Names the file as it was, because its row is gone afterwards. */
function auditEntryOf(project: Project, { filename, tenantId, path, size }: DeletingFile): AuditEntry {
  return { action: "file.deleted", projectId: project.id, details: { filename, tenantId, path, size } };
}
