import { routeOf } from "@stowage/server";
import type { StowageClient } from "@stowage/server/client";

/** A user's avatars are looked for among so many newest files. */
const SEARCHED_FILES = 1000;

/** An address of the user's avatar for this hour, or null. A real app keeps the path beside the user in its database. */
export async function avatarUrl(files: StowageClient, userId: string): Promise<string | null> {
  for await (const filePath of avatarPaths(files, userId)) {
    const { presignedUrl } = await files.downloadUrl(filePath, { tenantId: userId, disposition: "inline" });
    return presignedUrl;
  }
  return null;
}

/** Lets a newly stored avatar stand alone: those before it are deleted, and free their storage. */
export async function replaceAvatar(
  files: StowageClient,
  userId: string,
  filePath: string,
): Promise<{ avatarUrl: string }> {
  const before: string[] = [];
  for await (const path of avatarPaths(files, userId)) if (path !== filePath) before.push(path);
  if (before.length > 0) await files.deleteFiles(before, { tenantId: userId });
  const { presignedUrl } = await files.downloadUrl(filePath, { tenantId: userId, disposition: "inline" });
  return { avatarUrl: presignedUrl };
}

/** Newest first. */
async function* avatarPaths(files: StowageClient, userId: string): AsyncGenerator<string> {
  let searched = 0;
  for await (const file of files.files({ tenantId: userId, status: "stored" })) {
    if (routeOf(file) === "avatar") yield file.filePath;
    if (++searched === SEARCHED_FILES) return;
  }
}
