import { StowageError } from "@stowage/schemas";
import type { FileInput, VersionInput } from "@stowage/operator-schemas";
import type { files } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { findFileAndTenant } from "#files/record/find-file.js";
import { findVersion } from "#files/versions/find-versions.js";
import { readFile } from "#files/list/read-file.js";
import { readRow, type SettleUploadDeps } from "#files/settle/settle-upload.js";
import { readScanPolicy } from "#projects/scan-policy.js";
import { bucketOf } from "#object-store/bucket-of.js";
import { requireClean } from "#scans/require-clean.js";
import { signDownload } from "./create-download.js";
import { hasPicture } from "./create-thumbnails.js";
import { type DisplayVariantsDeps, displayVariants } from "./display-variants.js";
import { downloadHeaders, previewKindOf, type PreviewKind } from "#files/record/download-headers.js";
import { cacheHeaders, VARIANT } from "./cache-headers.js";
import { urlEnd, type UrlLifetime, urlLifetime } from "./url-lifetime.js";

export type CreateLinksDeps = SettleUploadDeps & {
  store: Pick<ObjectStore, "presignGet" | "downloadUrlsEnd" | "published">;
  /** Whether workers make pictures of videos. @default false */
  hasPosters?: boolean;
} & Pick<DisplayVariantsDeps, "randomBytes">;

export interface FileLinks {
  /** Shows the file in the page; null for a type that browsers may only save. */
  previewUrl: string | null;
  previewKind: PreviewKind | null;
  /** Shows a smaller variant of an image, the first page of a PDF, or a picture of a video; null without one, and while it is being made. */
  variantUrl: string | null;
  /** Saves the file under its original name. */
  downloadUrl: string;
  /** Expiry of the URLs. */
  expiresAt: string;
}

/** Long enough for a click, and for a video player to read the index of a long film. */
const LINK_SECONDS = 5 * 60;
/** A smaller image is shown itself: a variant would hardly be smaller. */
const MIN_VARIANT_SOURCE_BYTES = 100_000;

/**
 * Signs the URLs that let an operator's browser preview and download one stored file. They point to storage's own origin. A type that a
 * browser could execute is never previewed: see {@link downloadHeaders}. Where the project has a preset that fits, the variant of an image
 * is made on the first demand.
 *
 * @throws {StowageError} `file_not_found`, also for a file whose status is not `stored` or whose end has come;
 * `file_not_scanned`, `file_quarantined`; `unavailable`
 */
export async function createLinks(
  deps: CreateLinksDeps,
  project: Project,
  input: FileInput,
): Promise<FileLinks> {
  const file = await readFile(deps, project, input);
  const row = await readRow(deps, project.id, file.path);
  if (file.status !== "stored" || row?.status !== "stored") throw new StowageError("file_not_found");
  await requireClean(deps, await readScanPolicy(deps, project.id), row);
  const bucket = bucketOf(deps.store, row.place);
  const keysEnd = await bucket.downloadUrlsEnd();
  const lifetime = urlLifetime(row, { wantedSeconds: LINK_SECONDS, now: deps.clock(), keysEnd });
  if (lifetime === null) throw new StowageError("file_not_found");
  const sign = (disposition: "inline" | "attachment") =>
    bucket.presignGet({
      path: file.path,
      ...downloadHeaders({ ...file, disposition }),
      ...cacheHeaders(row, lifetime),
      ...lifetime,
    });
  const previewKind = previewKindOf(file.contentType);
  return {
    previewUrl: previewKind && (await sign("inline")),
    previewKind,
    variantUrl: hasPicture(deps, previewKind)
      ? await signVariant(deps, project, { file: row, isImage: previewKind === "image" }, lifetime)
      : null,
    downloadUrl: await sign("attachment"),
    expiresAt: urlEnd(lifetime).toISOString(),
  };
}

/**
 * Signs the URL that lets an operator's browser download a version of a stored file.
 *
 * @throws {StowageError} `file_not_found` for an unknown file or version; `file_not_scanned`, `file_quarantined`; `unavailable`
 */
export async function createVersionLink(
  deps: CreateLinksDeps,
  project: Project,
  { filePath, version }: VersionInput,
): Promise<Pick<FileLinks, "downloadUrl">> {
  const found = await findVersion(deps, await findFileAndTenant(deps, project, { filePath }), version);
  const signing = { ...deps, settling: deps };
  const download = await signDownload(signing, found, { isVersion: true, expiresIn: LINK_SECONDS });
  if (!download) throw new StowageError("file_not_found");
  return { downloadUrl: download.presignedUrl };
}

async function signVariant(
  deps: CreateLinksDeps,
  project: Project,
  { file, isImage }: { file: typeof files.$inferSelect; isImage: boolean },
  lifetime: UrlLifetime,
): Promise<string | null> {
  const size = file.size ?? 0;
  if (isImage && size < MIN_VARIANT_SOURCE_BYTES) return null;
  const variant = await (await displayVariants(deps, project, [file], "page"))(file);
  if (!variant || (isImage && variant.size >= size)) return null;
  const { path, contentType } = variant;
  const headers = downloadHeaders({ contentType, filename: file.filename, disposition: "inline" });
  return deps.store.presignGet({ path, ...headers, ...cacheHeaders(VARIANT, lifetime), ...lifetime });
}
