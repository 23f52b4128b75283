import { routeOf } from "@stowage/server";
import type { StowageClient } from "@stowage/server/client";

/** Only a user's newest files are searched for an avatar. */
const MAX_SEARCHED_FILES = 1000;

/** Returns a URL of the user's avatar that is valid for an hour, or null. A real app stores the path in its users table. */
export async function avatarUrl(files: StowageClient, userId: string): Promise<string | null> {
  for await (const filePath of avatarPaths(files, userId)) {
    const { presignedUrl } = await files.downloadUrl(filePath, { tenantId: userId, disposition: "inline" });
    return presignedUrl;
  }
  return null;
}

/** Deletes the user's previous avatars after a new one was stored. */
export async function replaceAvatar(
  files: StowageClient,
  userId: string,
  filePath: string,
): Promise<{ avatarUrl: string }> {
  const previous: string[] = [];
  for await (const path of avatarPaths(files, userId)) {
    if (path !== filePath) previous.push(path);
  }
  if (previous.length > 0) await files.deleteFiles(previous, { tenantId: userId });
  const { presignedUrl } = await files.downloadUrl(filePath, { tenantId: userId, disposition: "inline" });
  return { avatarUrl: presignedUrl };
}

/** Yields the paths of the user's avatars, newest first. */
async function* avatarPaths(files: StowageClient, userId: string): AsyncGenerator<string> {
  let searched = 0;
  for await (const file of files.files({ tenantId: userId, status: "stored" })) {
    if (routeOf(file) === "avatar") yield file.filePath;
    if (++searched === MAX_SEARCHED_FILES) return;
  }
}
