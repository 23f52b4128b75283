import { type ThumbnailsInput, thumbnailMaxBytes } from "@stowage/schemas/dashboard";
import { and, eq, inArray, lte } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { toWholeSeconds } from "#lib/time.js";
import { hasStatus } from "#files/file-conditions.js";
import { downloadHeaders, previewKindOf } from "./download-headers.js";

export interface CreateThumbnailsDeps {
  db: Queries;
  store: Pick<ObjectStore, "presignGet">;
  clock: () => Date;
}

export interface Thumbnail {
  fileId: number;
  /** Shows the whole image, on storage's own origin. */
  url: string;
}

/** Long enough to scroll through a page of a list. */
const LINK_SECONDS = 5 * 60;

/**
 * Signs the URLs of the small images among these files, for a list. Other files are left out: missing ones, those of another
 * project, those larger than `thumbnailMaxBytes`, and types that are no image or that a browser could execute.
 *
 * @throws {StowageError} `unavailable`
 */
export async function createThumbnails(
  deps: CreateThumbnailsDeps,
  project: Project,
  { fileIds }: ThumbnailsInput,
): Promise<Thumbnail[]> {
  const found = await deps.db.run((db) =>
    db
      .select({
        id: files.id,
        path: files.path,
        filename: files.filename,
        contentType: files.contentType,
      })
      .from(files)
      .where(
        and(
          eq(files.projectId, project.id),
          inArray(files.id, fileIds),
          hasStatus("stored"),
          lte(files.size, thumbnailMaxBytes),
        ),
      ),
  );
  const signedAt = toWholeSeconds(deps.clock());
  const images = found.filter(({ contentType }) => previewKindOf(contentType) === "image");
  return Promise.all(
    images.map(async ({ id, path, ...file }) => ({
      fileId: id,
      url: await deps.store.presignGet({
        path,
        ...downloadHeaders({ ...file, disposition: "inline" }),
        signedAt,
        expiresInSeconds: LINK_SECONDS,
      }),
    })),
  );
}
