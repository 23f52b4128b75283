import type { AuditAction, DeleteFilesInput } from "@stowage/operator-schemas";
import type { ProjectCaller } from "#audit/caller.js";
import { type AuditEntry, auditedTransaction } from "#audit/write-audit.js";
import { type DeletingFile, markDeleting } from "#files/end/mark-deleting.js";
import type { RemoveObjectDeps } from "./remove-objects.js";
import { removeObjects } from "./remove-objects.js";
import type { Project } from "#projects/find-project.js";

/** The ids of the input, each in one of the lists, in the order of the input. */
export interface DeletedFileIds {
  /** Includes files that were moved to the trash. */
  deleted: number[];
  /** Includes files that another call deleted first. */
  notFound: number[];
  /** Files that were kept because they are on hold. */
  onHold: number[];
}

/**
 * Deletes files of a project for an operator, as {@link deleteFiles} does for a customer: into the trash, if the project has one. Each
 * file has its audit entry. Safe to repeat: files that are already deleted are not audited again.
 *
 * @throws {StowageError} `unavailable`, and then nothing was deleted
 */
export async function deleteFilesAsOperator(
  deps: RemoveObjectDeps,
  caller: ProjectCaller,
  { fileIds, purge }: DeleteFilesInput,
): Promise<DeletedFileIds> {
  const { project } = caller;
  const { deleting, trashed, onHold } = await auditedTransaction(deps, caller, async (deps) => {
    const result = await markDeleting(deps, project, { fileIds, purge, actor: caller.operator.email });
    const entry = [
      ...result.deleting.map((file) => fileEntry("file.deleted", project, file)),
      ...result.trashed.map((file) => fileEntry("file.trashed", project, file)),
    ];
    return { result, entry };
  });
  await removeObjects(
    deps,
    project,
    deleting.map((file) => file.path),
  );
  const deleted = new Set([...deleting, ...trashed].map(({ id }) => id));
  const kept = new Set(onHold.map(({ id }) => id));
  return {
    deleted: fileIds.filter((id) => deleted.has(id)),
    notFound: fileIds.filter((id) => !deleted.has(id) && !kept.has(id)),
    onHold: fileIds.filter((id) => kept.has(id)),
  };
}

/** Names the file as it was, because its row may be gone afterwards. */
export function fileEntry(
  action: AuditAction,
  project: Project,
  { filename, tenantId, path, size }: Pick<DeletingFile, "filename" | "tenantId" | "path" | "size">,
): AuditEntry {
  return { action, projectId: project.id, details: { filename, tenantId, path, size } };
}
