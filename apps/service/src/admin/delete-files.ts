import type { DeleteFilesInput } from "@stowage/schemas/dashboard";
import { audited } from "#audit/audited.js";
import type { Caller } from "#audit/caller.js";
import type { AuditEntry } from "#audit/write-audit.js";
import { type DeletingFile, markDeleting } from "#files/delete/delete-files.js";
import type { RemoveObjectDeps } from "#files/delete/remove-objects.js";
import { removeObjects } from "#files/delete/remove-objects.js";
import type { Project } from "#projects/find-project.js";

export interface RemovedFiles {
  /** In the order given. */
  deleted: number[];
  /** Such as those that somebody else has deleted meanwhile. */
  notFound: number[];
}

/** The log stays for good: it names this many, and the files' histories name each for 90 days. */
const NAMED_PATHS = 10;

/**
 * Deletes files of a project at an operator's word, as {@link deleteFiles} does for customers. Safe to repeat: what is gone
 * already is in no line of the log.
 *
 * @throws {StowageError} `unavailable`, and then nothing was deleted
 */
export async function removeFiles(
  deps: RemoveObjectDeps,
  by: Caller & { project: Project },
  { fileIds }: DeleteFilesInput,
): Promise<RemovedFiles> {
  const doomed = await audited(deps, by, async (deps) => {
    const result = await markDeleting(deps, by.project, { fileIds, actor: by.operator.email });
    return { result, entry: result.length === 0 ? null : entryOf(by.project, result) };
  });
  await removeObjects(
    deps,
    by.project,
    doomed.map((file) => file.path),
  );
  const deleted = new Set(doomed.map((file) => file.id));
  return {
    deleted: fileIds.filter((id) => deleted.has(id)),
    notFound: fileIds.filter((id) => !deleted.has(id)),
  };
}

function entryOf(project: Project, doomed: DeletingFile[]): AuditEntry {
  const paths = doomed.slice(0, NAMED_PATHS).map((file) => file.path);
  const named = doomed.length === 1 ? { path: paths[0]! } : { paths: paths.join("\n") };
  return { action: "file.deleted", projectId: project.id, details: { count: doomed.length, ...named } };
}
