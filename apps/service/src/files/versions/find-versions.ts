import type { FileInput } from "@stowage/operator-schemas";
import { type ListVersionsQuery, StowageError } from "@stowage/schemas";
import { files } from "#db/schema/index.js";
import { readVersions } from "#files/end/versions.js";
import { isFile } from "#files/record/file-conditions.js";
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

/** A version as operators see it. */
export interface ListedVersion {
  id: number;
  path: string;
  filename: string;
  sizeBytes: number;
  /** When it was replaced. */
  replacedAt: string;
  /** When the trash removes it. */
  purgeAt: string;
  /** It is on hold: nothing deletes it. */
  isHeld: boolean;
}

/**
 * Lists the versions of a file for an operator, in the order of {@link listVersions}. A file that is not stored has none.
 *
 * @throws {StowageError} `unavailable`
 */
export async function listVersionsOfFile(
  { db, clock }: Pick<FindArrivedFileDeps, "db" | "clock">,
  project: Project,
  { fileId: id }: FileInput,
): Promise<ListedVersion[]> {
  const versions = await db.run(async (drizzle) => {
    const [file] = await drizzle
      .select()
      .from(files)
      .where(isFile({ projectId: project.id, id }));
    return file ? readVersions(drizzle, file, clock()) : [];
  });
  return versions.map(({ id, path, filename, size, replacedAt, purgeAt, held }) => ({
    id,
    path,
    filename,
    sizeBytes: size!,
    replacedAt: replacedAt!.toISOString(),
    purgeAt: purgeAt!.toISOString(),
    isHeld: held,
  }));
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
