import { type RestoreVersionRequest, StowageError } from "@stowage/schemas";
import { inTransaction } from "#db/client.js";
import { endLocked } from "#files/end/mark-deleting.js";
import { isBeingReplaced } from "#files/end/replacements.js";
import { readVersions } from "#files/end/versions.js";
import { lockFiles } from "#files/lifecycle/lock-files.js";
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
  { filePath, version: versionPath, tenantId }: RestoreVersionRequest,
): Promise<FileRecord> {
  await findArrivedFile(deps, project, { filePath, tenantId }, { ifStorageIsDown: "throw" });
  return inTransaction(deps.db, async (db, tx) => {
    const locked = await lockFiles(tx, project, { paths: [filePath, versionPath], tenantId });
    const current = locked.find(({ file }) => file.path === filePath);
    const version = locked.find(({ file }) => file.path === versionPath);
    const versions = current ? await readVersions(tx, current.file, deps.clock()) : [];
    if (!current || !version || !versions.some(({ path }) => path === versionPath))
      throw new StowageError("file_not_found");
    if (current.file.held) throw new StowageError("file_on_hold");
    if (await isBeingReplaced(tx, current.file)) throw new StowageError("file_being_replaced");
    await endLocked({ ...deps, db, tx }, project, {
      files: [current.file],
      actor: "customer",
      replacedBy: versionPath,
    });
    const [restored] = await restoreLocked({ ...deps, db, tx }, project, [version], {
      actor: "customer",
      staysInChain: true,
    });
    return toRecord(restored!, deps.store);
  });
}
