import { type DownloadRequest, limits, StowageError } from "@stowage/schemas";
import type { Database } from "#db/client.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { deliver } from "./delivery.js";
import { findFile } from "#files/find-file.js";

export interface CreateDownloadDeps {
  db: Database;
  store: Pick<ObjectStore, "presignGet">;
  clock: () => Date;
}

export interface CreatedDownload {
  presignedUrl: string;
  filePath: string;
  filename: string;
  contentType: string;
  size: number;
  expiresAt: string;
}

/**
 * Signs a URL that reads one stored file. Signed on this machine: storage is not asked.
 *
 * @throws {StowageError} `file_not_found`, also for a file that is not stored (yet, or any more); `unavailable`
 */
export async function createDownload(
  deps: CreateDownloadDeps,
  project: Project,
  input: DownloadRequest,
): Promise<CreatedDownload> {
  const file = await findFile(deps, project, input);
  if (file.status !== "stored" || file.size === null) throw new StowageError("file_not_found");
  // Signing knows whole seconds only: the answer must not promise more than the URL keeps.
  const signedAt = new Date(Math.floor(deps.clock().getTime() / 1000) * 1000);
  const expiresInSeconds = input.expiresIn ?? limits.downloadUrlSeconds;
  const filename = input.filename ?? file.filename;
  const presignedUrl = await deps.store.presignGet({
    path: file.filePath,
    ...deliver({
      contentType: file.contentType,
      filename,
      disposition: input.disposition ?? "attachment",
    }),
    signedAt,
    expiresInSeconds,
  });
  return {
    presignedUrl,
    filePath: file.filePath,
    filename,
    contentType: file.contentType,
    size: file.size,
    expiresAt: new Date(signedAt.getTime() + expiresInSeconds * 1000).toISOString(),
  };
}
