import { type DownloadRequest, limits, StowageError } from "@stowage/schemas";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { visibilityOf } from "#files/record/file-record.js";
import type { FoundFile } from "#files/record/find-file.js";
import { findArrivedFile, type FindArrivedFileDeps } from "#files/settle/find-arrived-file.js";
import { findVersion } from "#files/versions/find-versions.js";
import {
  findVariants,
  type FindVariantDeps,
  type ReadyVariant,
  requireVariant,
} from "#images/find-variant.js";
import { bucketOf } from "#object-store/bucket-of.js";
import { requestPublication } from "#variants/copies.js";
import { withExtension } from "#variants/variant-name.js";
import { requireClean } from "#scans/require-clean.js";
import { shownTypeOf } from "#files/settle/text-type.js";
import { downloadHeaders } from "#files/record/download-headers.js";
import type { DownloadMeter } from "#tenants/download-meter.js";
import { cacheHeaders, VARIANT } from "./cache-headers.js";
import { urlEnd, urlLifetime } from "./url-lifetime.js";

export interface CreateDownloadDeps extends FindArrivedFileDeps, Pick<FindVariantDeps, "randomBytes"> {
  store: Pick<ObjectStore, "presignGet" | "downloadUrlsEnd" | "published">;
  /** @default downloads are not counted */
  downloadMeter?: Pick<DownloadMeter, "count">;
}

export interface CreatedDownload {
  presignedUrl: string;
  filePath: string;
  filename: string;
  contentType: string;
  size: number;
  expiresAt: string;
  /** Where everyone can read it. Undefined unless the file is public, and for a variant that is not published yet. */
  publicUrl?: string;
}

/**
 * Signs a URL that downloads one file. Signing is local and makes no request to storage. Only a file that is not recorded as
 * stored yet is looked for in storage first, so that a download right after the PUT succeeds, and the first URL that shows a text reads
 * its beginning. Where the project scans for viruses,
 * storage is asked also while the bytes can still be replaced.
 *
 * @throws {StowageError} `invalid_request` for a variant of a version; `file_not_found`, also for a file that is not in storage; `file_not_scanned`, `file_quarantined`;
 * `preset_not_found`, `variant_pending`, `variant_impossible`, `variant_failed`; `unavailable`
 */
export async function createDownload(
  deps: CreateDownloadDeps,
  project: Project,
  input: DownloadRequest,
): Promise<CreatedDownload> {
  const { download, count } = await prepareDownload(deps, project, input);
  count();
  return download;
}

/**
 * Does what {@link createDownload} does, but leaves the counting to the caller.
 *
 * @throws {StowageError} the same
 */
export async function prepareDownload(
  deps: CreateDownloadDeps,
  project: Project,
  input: DownloadRequest,
): Promise<{ download: CreatedDownload; count(): void }> {
  const { version, variant } = input;
  if (version !== undefined && variant !== undefined)
    throw new StowageError("invalid_request", { detail: "version and variant cannot be combined" });
  const current = await findArrivedFile(deps, project, input, { ifStorageIsDown: "throw" });
  const found = version === undefined ? current : await findVersion(deps, current, version);
  const variantOf = await findWantedVariants(deps, project, input, [found]);
  const download = await signDownload(deps, found, { ...input, isVersion: version !== undefined, variantOf });
  if (!download) throw new StowageError("file_not_found");
  const count = () => deps.downloadMeter?.count(project.id, found.file.tenant, download.size);
  return { download, count };
}

/**
 * Returns the variant of a file whose bytes may be handed out.
 *
 * @throws {StowageError} `variant_pending`, `variant_impossible`, `variant_failed`, `unavailable`
 */
type VariantOf = (file: FoundFile["file"]) => Promise<ReadyVariant>;

/** @returns undefined for a request that wants the files themselves @throws {StowageError} `preset_not_found`, `unavailable` */
export async function findWantedVariants(
  deps: CreateDownloadDeps,
  project: Project,
  { variant: name, accept }: Pick<DownloadRequest, "variant" | "accept">,
  found: FoundFile[],
): Promise<VariantOf | undefined> {
  if (name === undefined) return undefined;
  const fileIds = found.map(({ file }) => file.id);
  const variants = await findVariants(deps, project, { name, accept }, fileIds);
  return (file) => requireVariant(deps, project, variants, file);
}

/** What to sign. */
export type SignOptions = Omit<
  DownloadRequest,
  "filePath" | "version" | "tenantId" | "variant" | "accept"
> & {
  /** The file is a version: it is in the trash. @default false */
  isVersion?: boolean;
  /** The URL reads this variant. Undefined: it reads the file. */
  variantOf?: VariantOf | undefined;
  /** Limits the looks at texts that are shown. @default its own */
  lookLimit?: (() => AbortSignal) | undefined;
};

/**
 * Signs a URL that downloads a file, or a variant of it.
 *
 * @returns null if the file cannot be downloaded: it is not stored, or its end has come
 * @throws {StowageError} `file_not_scanned`, `file_quarantined`, `unavailable`, and what `variantOf` throws
 */
export async function signDownload(
  deps: Pick<CreateDownloadDeps, "store" | "clock" | "settling">,
  { file, scanPolicy }: Pick<FoundFile, "file" | "scanPolicy">,
  { expiresIn, disposition, reuse, isVersion, variantOf, lookLimit, ...input }: SignOptions,
): Promise<CreatedDownload | null> {
  if (file.status !== (isVersion ? "trashed" : "stored") || file.size === null) return null;
  await requireClean(deps.settling, scanPolicy, file);
  // Signed URLs of variants point to the private bucket, also those of public files.
  const bucket = bucketOf(deps.store, variantOf ? "private" : file.place);
  const lifetime = urlLifetime(isVersion ? { expiresAt: file.purgeAt } : file, {
    wantedSeconds: expiresIn ?? limits.downloadUrlSeconds,
    reuse,
    keysEnd: await bucket.downloadUrlsEnd(),
    now: deps.clock(),
  });
  if (lifetime === null) return null;
  const variant = await variantOf?.(file);
  const { path, contentType, size } = variant ?? { ...file, size: file.size };
  const filename = input.filename ?? (variant ? withExtension(file.filename, contentType) : file.filename);
  const isShown = disposition === "inline" && !variant;
  const shownType = isShown ? await shownTypeOf(deps.settling, file, lookLimit) : contentType;
  const presignedUrl = await bucket.presignGet({
    path,
    ...downloadHeaders({
      contentType: shownType,
      filename,
      disposition: disposition ?? "attachment",
    }),
    ...cacheHeaders(variant ? VARIANT : file, lifetime, { reuse }),
    ...lifetime,
  });
  const publicUrl = await publicUrlOf(deps, file, variant);
  return {
    presignedUrl,
    filePath: file.path,
    filename,
    contentType,
    size,
    expiresAt: urlEnd(lifetime).toISOString(),
    ...(publicUrl !== undefined && { publicUrl }),
  };
}

async function publicUrlOf(
  { store, settling }: Pick<CreateDownloadDeps, "store" | "settling">,
  file: FoundFile["file"],
  variant: ReadyVariant | undefined,
): Promise<string | undefined> {
  const { publicUrl } = visibilityOf({ ...file, filePath: file.path }, store.published);
  if (publicUrl === undefined || !variant) return publicUrl;
  if (variant.publication === "done") return store.published?.urlOf(variant.path);
  // The worker asked for it too, unless it died between two statements.
  if (!file.hasOtherCopy) await requestPublication(settling, file);
  return undefined;
}
