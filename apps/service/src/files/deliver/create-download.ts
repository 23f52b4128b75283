import { type DownloadRequest, limits, StowageError } from "@stowage/schemas";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import type { FoundFile } from "#files/find-file.js";
import { findArrivedFile, type FindArrivedFileDeps } from "#files/settle/find-arrived-file.js";
import { requireClean } from "#scans/require-clean.js";
import { downloadHeaders } from "./download-headers.js";
import { urlEnd, urlLifetime } from "./url-lifetime.js";

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
  { expiresIn, disposition, reuse, ...input }: Omit<DownloadRequest, "filePath" | "tenantId">,
): Promise<CreatedDownload | null> {
  if (file.status !== "stored" || file.size === null) return null;
  await requireClean(deps.settling, scanPolicy, file);
  const wantedSeconds = expiresIn ?? limits.downloadUrlSeconds;
  const lifetime = urlLifetime(file, { wantedSeconds, reuse, now: deps.clock() });
  if (lifetime === null) return null;
  const filename = input.filename ?? file.filename;
  const presignedUrl = await deps.store.presignGet({
    path: file.path,
    ...downloadHeaders({
      contentType: file.contentType,
      filename,
      disposition: disposition ?? "attachment",
    }),
    // The customer has decided by the Cache-Control of the object.
    ...(reuse && file.cacheControl === null && cacheUntil(urlEnd(lifetime))),
    ...lifetime,
  });
  return {
    presignedUrl,
    filePath: file.path,
    filename,
    contentType: file.contentType,
    size: file.size,
    expiresAt: urlEnd(lifetime).toISOString(),
  };
}

/**
 * The headers with which browsers and CDNs may keep the file. A fixed time, because no cache should serve a file after its URL has
 * expired: a `max-age` starts at each request, also at one shortly before the end. A `max-age` that a file brings itself would win over
 * `expires`, so it must not be sent with this URL. `public` reveals no more than the URL itself does,
 * if the cache's key contains the whole URL.
 */
const cacheUntil = (expires: Date) => ({ cacheControl: "public, must-revalidate", expires });
