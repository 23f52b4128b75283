import { type RestoreVersionRequest, StowageError } from "@stowage/schemas";
import type { ProjectActor } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import { inTransaction, type Transaction } from "#db/client.js";
import { fileEntry } from "#files/delete/delete-selection.js";
import { endLocked } from "#files/end/mark-deleting.js";
import { isBeingReplaced } from "#files/end/replacements.js";
import { readVersions } from "#files/end/versions.js";
import { lockFiles, type OwnedFile } from "#files/lifecycle/lock-files.js";
import { restoreLocked, type RestoreFilesDeps } from "#files/lifecycle/restore-files.js";
import type { FileRecord } from "#files/record/file-record.js";
import { toRecord } from "#files/record/find-file.js";
import { findArrivedFile, type FindArrivedFileDeps } from "#files/settle/find-arrived-file.js";
import type { Project } from "#projects/find-project.js";

/**
 * Stores a version of a file again, and moves the file to the trash as its newest version, in one transaction. Both count in the quota all
 * the time.
 *
 * @returns the version, which is stored now
 * @throws {StowageError} `file_not_found` for an unknown file or version, and in a project without versions; `file_on_hold` if the file is on
 * hold; `file_being_replaced` while an upload is to replace it; `unavailable`. Then nothing changed
 */
export async function restoreVersion(
  deps: RestoreFilesDeps & FindArrivedFileDeps,
  project: Project,
  request: RestoreVersionRequest,
): Promise<FileRecord> {
  const { filePath, tenantId } = request;
  await findArrivedFile(deps, project, { filePath, tenantId }, { ifStorageIsDown: "throw" });
  const restored = await inTransaction(deps.db, (db, tx) =>
    swap({ ...deps, db, tx }, project, request, "customer"),
  );
  return toRecord(restored, deps.store);
}

/** Does what {@link restoreVersion} does, without asking storage, and writes an audit entry. It throws the same errors. */
export function restoreVersionAudited(
  deps: RestoreFilesDeps,
  actor: ProjectActor,
  request: RestoreVersionRequest,
): Promise<OwnedFile> {
  const { project, operator } = actor;
  return auditedTransaction(deps, actor, async (deps, tx) => {
    const result = await swap({ ...deps, tx }, project, request, operator.email);
    const { file, tenantId } = result;
    return { result, entry: fileEntry("file.restored", project, { ...file, tenantId }) };
  });
}

/** @param actor an operator's e-mail address, or `customer` */
async function swap(
  deps: RestoreFilesDeps & { tx: Transaction },
  project: Project,
  { filePath, version: versionPath, tenantId }: RestoreVersionRequest,
  actor: string,
): Promise<OwnedFile> {
  const { tx } = deps;
  const locked = await lockFiles(tx, project, { paths: [filePath, versionPath], tenantId });
  const current = locked.find(({ file }) => file.path === filePath);
  const version = locked.find(({ file }) => file.path === versionPath);
  const versions = current ? await readVersions(tx, current.file, deps.clock()) : [];
  if (!current || !version || !versions.some(({ path }) => path === versionPath))
    throw new StowageError("file_not_found");
  if (current.file.held) throw new StowageError("file_on_hold");
  if (await isBeingReplaced(tx, current.file)) throw new StowageError("file_being_replaced");
  await endLocked(deps, project, { files: [current.file], actor, replacedBy: versionPath });
  const [restored] = await restoreLocked(deps, project, [version], { actor, staysInChain: true });
  return restored!;
}
