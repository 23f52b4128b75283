import { limits } from "@stowage/schemas";
import { and } from "drizzle-orm";
import { ignorePurgeFailure, isPurgeFailure } from "#cdn/cdn.js";
import { removeEach } from "#cdn/remove-each.js";
import type { Queries } from "#db/client.js";
import { files, tombstones } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { addMs, SECOND_MS } from "#lib/time.js";
import { isTemporary } from "#lib/temporary-error.js";
import type { Project } from "#projects/find-project.js";
import { hasStatus, isFileAt } from "#files/record/file-conditions.js";
import { abortUploads, type AbortUploadsDeps } from "#files/parts/abort-uploads.js";
import { markVariantsOfFile, removeVariant } from "#variants/remove-variants.js";
import { bucketOf } from "#object-store/bucket-of.js";
import { findCopies, MOVE_LEASE_MS } from "#variants/copies.js";
import { lastCheckAt } from "#files/record/check-schedule.js";

export interface RemoveObjectDeps {
  db: Queries;
  store: Pick<ObjectStore, "remove" | "published"> & AbortUploadsDeps["store"];
  clock: () => Date;
}

/** After this time the caller gets its answer, and the sweeper removes the remaining objects. */
const TIME_LIMIT_MS = 10_000;
const MAX_CONCURRENT_REMOVALS = 16;

/**
 * Removes the objects of files that were just marked as `deleting`. The delete has taken effect before, so a temporary error is no error
 * of the delete: the sweeper removes the remaining ones. An outage of storage or the database stops this. A purge that the CDN refuses
 * concerns one file.
 */
export async function removeObjects(
  deps: RemoveObjectDeps,
  project: Project,
  paths: Iterable<string>,
): Promise<void> {
  const until = deps.clock().getTime() + TIME_LIMIT_MS;
  try {
    await forEachBounded(paths, MAX_CONCURRENT_REMOVALS, async (path) => {
      if (deps.clock().getTime() >= until) return;
      await removeObject(deps, project.id, path).catch(ignorePurgeFailure);
    });
  } catch (error) {
    if (!isTemporary(error)) throw error;
  }
}

/**
 * Second half of a delete: removes the object of a `deleting` file and then its row, and the variants of an image. If a URL to the path
 * may still be valid, or a process may be moving the file, a tombstone takes the row's place. Then it aborts the multipart uploads of the
 * path; if that fails, the check of the tombstone does it. Safe to repeat; the sweeper repeats it until it succeeds.
 *
 * @throws {StowageError} `unavailable`
 */
export async function removeObject(deps: RemoveObjectDeps, projectId: number, path: string): Promise<void> {
  await removePublished(deps, projectId, path);
  await deps.store.remove(path);
  const { hadParts, variants } = await deps.db.run((db) =>
    db.transaction(async (tx) => {
      const [file] = await tx
        .delete(files)
        .where(and(isFileAt(projectId, path), hasStatus("deleting")))
        .returning({
          projectId: files.projectId,
          id: files.id,
          urlExpiresAt: files.urlExpiresAt,
          tenant: files.tenant,
          storedAt: files.storedAt,
          isOverQuota: files.isOverQuota,
          partSize: files.partSize,
          hasOtherCopy: files.hasOtherCopy,
          publishEndsAt: files.publishEndsAt,
        });
      if (!file) return { hadParts: false, variants: [] };
      const now = deps.clock();
      const variants = await markVariantsOfFile(tx, file, now);
      const hadParts = file.partSize !== null;
      // The last URL of a part was signed before the delete.
      const lastUrlExpiresAt = hadParts ? addMs(now, limits.uploadUrlSeconds * SECOND_MS) : file.urlExpiresAt;
      const { hasOtherCopy, publishEndsAt, isOverQuota } = file;
      const moveEndsAt = hasOtherCopy ? addMs(now, MOVE_LEASE_MS) : now;
      const until = latest(lastCheckAt(lastUrlExpiresAt), moveEndsAt, publishEndsAt);
      if (until <= now) return { hadParts, variants };
      const cancelledTenant = file.storedAt === null ? file.tenant : null;
      await tx
        .insert(tombstones)
        // The process that moves the file may remove a copy that landed after the removal above, and fail to purge the CDN of it.
        .values({
          projectId,
          path,
          cancelledTenant,
          isOverQuota,
          hadParts,
          isRemoving: hasOtherCopy,
          until,
          nextCheckAt: now,
        })
        .onConflictDoNothing();
      return { hadParts, variants };
    }),
  );
  for (const variant of variants) await removeVariant(deps, variant);
  if (hadParts) await abortUploads(deps, path);
}

const latest = (...dates: Date[]) => new Date(Math.max(...dates.map((date) => date.getTime())));

/** If a file is in the public bucket and the settings name none any more, the sweeper waits until they do. */
async function removePublished(deps: RemoveObjectDeps, projectId: number, path: string): Promise<void> {
  const [file] = await deps.db.run((db) =>
    db
      .select({ id: files.id, place: files.place, hasOtherCopy: files.hasOtherCopy })
      .from(files)
      .where(isFileAt(projectId, path)),
  );
  // Without a row: another process has just removed it.
  const mayBePublished = file ? file.place === "public" || file.hasOtherCopy : deps.store.published !== null;
  if (!mayBePublished) return;
  const bucket = bucketOf(deps.store, "public");
  try {
    await bucket.remove(path);
  } catch (error) {
    // The row stays until the CDN takes the purge, and its variants are removed with it. Strangers must not read them at the bucket until
    // then.
    if (file && isPurgeFailure(error))
      await removeEach(await findCopies(deps, { projectId, id: file.id }), (copy) => bucket.remove(copy));
    throw error;
  }
}
