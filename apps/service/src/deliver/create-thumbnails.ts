import { StowageError } from "@stowage/schemas";
import { type ThumbnailsInput, thumbnailMaxBytes } from "@stowage/operator-schemas";
import { and, eq, inArray } from "drizzle-orm";
import { files } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { hasStatus } from "#files/record/file-conditions.js";
import type { SettleUploadDeps } from "#files/settle/settle-upload.js";
import { readScanPolicy } from "#projects/scan-policy.js";
import { bucketOf } from "#object-store/bucket-of.js";
import { requireClean } from "#scans/require-clean.js";
import { type DisplayVariantsDeps, displayVariants } from "./display-variants.js";
import { downloadHeaders, type PreviewKind, previewKindOf } from "#files/record/download-headers.js";
import { cacheHeaders, VARIANT } from "./cache-headers.js";
import { urlLifetime } from "./url-lifetime.js";

export type CreateThumbnailsDeps = SettleUploadDeps & {
  store: Pick<ObjectStore, "presignGet" | "downloadUrlsEnd" | "published">;
  /** Whether workers make pictures of videos. @default false */
  hasPosters?: boolean;
} & Pick<DisplayVariantsDeps, "randomBytes">;

export interface Thumbnail {
  fileId: number;
  /** Shows the image or a variant of it, on storage's own origin. */
  url: string;
}

/** Long enough to scroll through a page of a list. */
const LINK_SECONDS = 5 * 60;

/**
 * Signs the URLs of pictures of the images, PDFs and videos among these files, for a list. Where the project has a preset that fits a list, they are
 * those of variants, which are made on the first demand. An image without a variant is shown itself, if it has at most `thumbnailMaxBytes`.
 * Other files are left out: missing ones, those of another project, those whose end has come, and types that have no picture or that a
 * browser could execute. While the project scans for viruses, so are files that are not known to be clean, also because storage does not answer.
 *
 * @throws {StowageError} `unavailable` if the database is
 */
export async function createThumbnails(
  deps: CreateThumbnailsDeps,
  project: Project,
  { fileIds }: ThumbnailsInput,
): Promise<Thumbnail[]> {
  const found = await deps.db.run((db) =>
    db
      .select()
      .from(files)
      .where(and(eq(files.projectId, project.id), inArray(files.id, fileIds), hasStatus("stored"))),
  );
  const images = await keepClean(
    deps,
    project,
    found.filter(({ contentType }) => hasPicture(deps, previewKindOf(contentType))),
  );
  const now = deps.clock();
  const variantOf = await displayVariants(deps, project, images, "list");
  const thumbnails = images.map(async (image): Promise<Thumbnail | null> => {
    const terms = { wantedSeconds: LINK_SECONDS, now };
    if (urlLifetime(image, { ...terms, keysEnd: null }) === null) return null;
    const variant = await variantOf(image);
    const isShownItself =
      previewKindOf(image.contentType) === "image" && (image.size ?? 0) <= thumbnailMaxBytes;
    if (!variant && !isShownItself) return null;
    const { path, contentType } = variant ?? image;
    const headers = downloadHeaders({ contentType, filename: image.filename, disposition: "inline" });
    const bucket = bucketOf(deps.store, variant ? "private" : image.place);
    const lifetime = urlLifetime(image, { ...terms, keysEnd: await bucket.downloadUrlsEnd() });
    if (lifetime === null) return null;
    const caching = cacheHeaders(variant ? VARIANT : image, lifetime);
    return { fileId: image.id, url: await bucket.presignGet({ path, ...headers, ...caching, ...lifetime }) };
  });
  return (await Promise.all(thumbnails)).filter((thumbnail) => thumbnail !== null);
}

/** Whether a worker makes variants of such files. */
export function hasPicture(
  { hasPosters = false }: { hasPosters?: boolean },
  kind: PreviewKind | null,
): boolean {
  return kind === "image" || kind === "pdf" || (kind === "video" && hasPosters);
}

type FileRow = typeof files.$inferSelect;

const MAX_CONCURRENT_CHECKS = 8;

/** Leaves out the files whose bytes may not be handed out because of a virus scan. */
async function keepClean(
  deps: CreateThumbnailsDeps,
  project: Project,
  images: FileRow[],
): Promise<FileRow[]> {
  const policy = await readScanPolicy(deps, project.id);
  const clean = new Set<number>();
  await forEachBounded(images, MAX_CONCURRENT_CHECKS, async (image) => {
    try {
      await requireClean(deps, policy, image);
      clean.add(image.id);
    } catch (error) {
      if (!(error instanceof StowageError)) throw error;
    }
  });
  return images.filter(({ id }) => clean.has(id));
}
