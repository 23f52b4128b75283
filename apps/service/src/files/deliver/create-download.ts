import { type DownloadRequest, limits, StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { addMs, SECOND_MS, toWholeSeconds } from "#lib/time.js";
import { findFile } from "#files/find-file.js";
import { downloadHeaders } from "./download-headers.js";

export interface CreateDownloadDeps {
  db: Queries;
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
 * Signs a URL that downloads one stored file. Signing is local and makes no request to storage.
 *
 * @throws {StowageError} `file_not_found`, also for a file whose status is not `stored`; `unavailable`
 */
export async function createDownload(
  deps: CreateDownloadDeps,
  project: Project,
  input: DownloadRequest,
): Promise<CreatedDownload> {
  const file = await findFile(deps, project, input);
  if (file.status !== "stored" || file.size === null) throw new StowageError("file_not_found");
  const signedAt = toWholeSeconds(deps.clock());
  const expiresInSeconds = input.expiresIn ?? limits.downloadUrlSeconds;
  const filename = input.filename ?? file.filename;
  const presignedUrl = await deps.store.presignGet({
    path: file.filePath,
    ...downloadHeaders({
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
    expiresAt: addMs(signedAt, expiresInSeconds * SECOND_MS).toISOString(),
  };
}
