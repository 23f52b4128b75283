import { type DownloadRequest, limits, StowageError } from "@stowage/schemas";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { addMs, SECOND_MS, toWholeSeconds } from "#lib/time.js";
import type { FoundFile } from "#files/find-file.js";
import { findArrivedFile, type FindArrivedFileDeps } from "#files/settle/find-arrived-file.js";
import { requireClean } from "#scans/require-clean.js";
import { downloadHeaders } from "./download-headers.js";
import { urlSeconds } from "./url-seconds.js";

export interface CreateDownloadDeps extends FindArrivedFileDeps {
  store: Pick<ObjectStore, "presignGet">;
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
 * Signs a URL that downloads one file. Signing is local and makes no request to storage. Only a file that is not recorded as
 * stored yet is looked for in storage first, so that a download right after the PUT succeeds. Where the project scans for viruses,
 * storage is asked also while the bytes can still be replaced.
 *
 * @throws {StowageError} `file_not_found`, also for a file that is not in storage; `file_not_scanned`, `file_quarantined`;
 * `unavailable`
 */
export async function createDownload(
  deps: CreateDownloadDeps,
  project: Project,
  input: DownloadRequest,
): Promise<CreatedDownload> {
  const found = await findArrivedFile(deps, project, input, { ifStorageIsDown: "throw" });
  const download = await signDownload(deps, found, input);
  if (!download) throw new StowageError("file_not_found");
  return download;
}

/**
 * Signs a URL that downloads a file.
 *
 * @returns null if the file cannot be downloaded: it is not stored, or its end has come
 * @throws {StowageError} `file_not_scanned`, `file_quarantined`, `unavailable`
 */
export async function signDownload(
  deps: Pick<CreateDownloadDeps, "store" | "clock" | "settling">,
  { file, scanPolicy }: Pick<FoundFile, "file" | "scanPolicy">,
  input: Pick<DownloadRequest, "expiresIn" | "filename" | "disposition">,
): Promise<CreatedDownload | null> {
  if (file.status !== "stored" || file.size === null) return null;
  await requireClean(deps.settling, scanPolicy, file);
  const signedAt = toWholeSeconds(deps.clock());
  const expiresInSeconds = urlSeconds(file, input.expiresIn ?? limits.downloadUrlSeconds, signedAt);
  if (expiresInSeconds === null) return null;
  const filename = input.filename ?? file.filename;
  const presignedUrl = await deps.store.presignGet({
    path: file.path,
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
    filePath: file.path,
    filename,
    contentType: file.contentType,
    size: file.size,
    expiresAt: addMs(signedAt, expiresInSeconds * SECOND_MS).toISOString(),
  };
}
