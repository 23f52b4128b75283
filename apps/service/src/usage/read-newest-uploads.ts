import { filesListInput } from "@stowage/operator-schemas";
import type { Queries } from "#db/client.js";
import { browseFiles, type ListedFile } from "#files/list/browse-files.js";
import type { Project } from "#projects/find-project.js";

const LIMIT = 10;

/**
 * Reads a project's ten newest uploads, newest first.
 *
 * @throws {StowageError} `unavailable`
 */
export async function readNewestUploads(
  deps: { db: Queries; clock: () => Date },
  project: Project,
): Promise<ListedFile[]> {
  const { files } = await browseFiles(deps, project, filesListInput.parse({ limit: LIMIT }));
  return files;
}
