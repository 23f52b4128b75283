import { type ListVersionsQuery, StowageError } from "@stowage/schemas";
import { readVersions } from "#files/end/versions.js";
import type { FileRecord } from "#files/record/file-record.js";
import { type FoundFile, toRecord } from "#files/record/find-file.js";
import { findArrivedFile, type FindArrivedFileDeps } from "#files/settle/find-arrived-file.js";
import type { Project } from "#projects/find-project.js";

/**
 * Lists the versions of a stored file, the last one that was replaced first.
 *
 * @throws {StowageError} `file_not_found`, `unavailable`
 */
export async function listVersions(
  deps: FindArrivedFileDeps,
  project: Project,
  reference: ListVersionsQuery,
): Promise<{ versions: FileRecord[] }> {
  const { file, tenantId } = await findArrivedFile(deps, project, reference, {
    ifStorageIsDown: "return recorded",
  });
  const versions = await deps.db.run((db) => readVersions(db, file, deps.clock()));
  return { versions: versions.map((version) => toRecord({ file: version, tenantId }, deps.store)) };
}

/**
 * Finds a version of a file.
 *
 * @param path the path of the version
 * @throws {StowageError} `file_not_found` for an unknown version, `unavailable`
 */
export async function findVersion(
  deps: Pick<FindArrivedFileDeps, "db" | "clock">,
  found: FoundFile,
  path: string,
): Promise<FoundFile> {
  const versions = await deps.db.run((db) => readVersions(db, found.file, deps.clock()));
  const file = versions.find((version) => version.path === path);
  if (!file) throw new StowageError("file_not_found");
  return { ...found, file };
}
