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

/** Audit entries are kept forever, so an entry names at most this many paths. Each file's own history is kept for 90 days. */
const MAX_NAMED_PATHS = 10;

/**
 * Deletes files of a project for an operator, as {@link deleteFiles} does for a customer. Safe to repeat: files that are already
 * deleted are not audited again.
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
    return { result, entry: result.length === 0 ? null : auditEntryOf(project, result) };
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

function auditEntryOf(project: Project, files: DeletingFile[]): AuditEntry {
  const paths = files.slice(0, MAX_NAMED_PATHS).map((file) => file.path);
  const named = files.length === 1 ? { path: paths[0]! } : { paths: paths.join("\n") };
  return { action: "file.deleted", projectId: project.id, details: { count: files.length, ...named } };
}
