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
  const found = await findArrivedFile(deps, project, reference, { ifStorageIsDown: "return recorded" });
  const versions = await versionsOf(deps, found);
  return { versions: versions.map((version) => toRecord(version, deps.store)) };
}

/** Reads the versions of a file that was found, in the order of {@link listVersions}. @throws {StowageError} `unavailable` */
export async function versionsOf(
  { db, clock }: Pick<FindArrivedFileDeps, "db" | "clock">,
  found: FoundFile,
): Promise<FoundFile[]> {
  const versions = await db.run((drizzle) => readVersions(drizzle, found.file, clock()));
  return versions.map((file) => ({ ...found, file }));
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
  const version = (await versionsOf(deps, found)).find(({ file }) => file.path === path);
  if (!version) throw new StowageError("file_not_found");
  return version;
}
