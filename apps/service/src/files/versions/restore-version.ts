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
import { findArrivedFiles, type FindArrivedFileDeps } from "#files/settle/find-arrived-file.js";
import type { Project } from "#projects/find-project.js";

/**
 * Stores a version of a file again, and moves the file to the trash as its newest version, in one transaction. Both count in the quota all
 * the time. A repeated call changes nothing and returns the same, so a caller whose connection broke can repeat it.
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
  // This does not throw for a file in the trash, where a repeated call finds it.
  await findArrivedFiles(deps, project, { filePaths: [filePath], tenantId });
  const { restored } = await inTransaction(deps.db, (db, tx) =>
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
    const { restored, isRepeated } = await swap({ ...deps, tx }, project, request, operator.email);
    const { file, tenantId } = restored;
    const entry = isRepeated ? null : fileEntry("file.restored", project, { ...file, tenantId });
    return { result: restored, entry };
  });
}

/**
 * @param actor an operator's e-mail address, or `customer`
 * @returns whether an earlier call has restored the version, so that nothing changed
 */
async function swap(
  deps: RestoreFilesDeps & { tx: Transaction },
  project: Project,
  { filePath, version: versionPath, tenantId }: RestoreVersionRequest,
  actor: string,
): Promise<{ restored: OwnedFile; isRepeated: boolean }> {
  const { tx } = deps;
  const locked = await lockFiles(tx, project, { paths: [filePath, versionPath], tenantId });
  const current = locked.find(({ file }) => file.path === filePath);
  const version = locked.find(({ file }) => file.path === versionPath);
  if (!current || !version) throw new StowageError("file_not_found");
  const isVersionOf = async (old: OwnedFile, { file }: OwnedFile) =>
    (await readVersions(tx, file, deps.clock())).some(({ id }) => id === old.file.id);
  if (current.file.replacedBy === versionPath && (await isVersionOf(current, version)))
    return { restored: version, isRepeated: true };
  if (!(await isVersionOf(version, current))) throw new StowageError("file_not_found");
  if (current.file.held) throw new StowageError("file_on_hold");
  if (await isBeingReplaced(tx, current.file)) throw new StowageError("file_being_replaced");
  await endLocked(deps, project, { files: [current.file], actor, replacedBy: versionPath });
  const [restored] = await restoreLocked(deps, project, [version], { actor, staysInChain: true });
  return { restored: restored!, isRepeated: false };
}
