import { filesListInput } from "@stowage/schemas/dashboard";
import type { Queries } from "#db/client.js";
import { browseFiles, type ListedFile } from "#files/list/browse-files.js";
import type { Project } from "#projects/find-project.js";

const SHOWN = 10;

/** The uploads that were asked for last, the newest first, as they are now. @throws {StowageError} `unavailable` */
export async function newestUploads(deps: { db: Queries }, project: Project): Promise<ListedFile[]> {
  const { files } = await browseFiles(deps, project, filesListInput.parse({ limit: SHOWN }));
  return files;
}
