import { routeOf } from "@stowage/server";
import type { StowageClient } from "@stowage/server/client";

/** Only a user's newest files are searched for previous pictures. */
const MAX_SEARCHED_FILES = 1000;

/** Deletes the user's previous pictures after a new one was stored. A real app stores the path in its users table. */
export async function deletePreviousAvatars(
  files: StowageClient,
  userId: string,
  newPath: string,
): Promise<{ replaced: number }> {
  const previous: string[] = [];
  let searched = 0;
  for await (const file of files.files({ tenantId: userId, status: "stored" })) {
    if (routeOf(file) === "avatar" && file.filePath !== newPath) previous.push(file.filePath);
    if (++searched === MAX_SEARCHED_FILES) break;
  }
  if (previous.length > 0) await files.deleteFiles(previous, { tenantId: userId });
  return { replaced: previous.length };
}
