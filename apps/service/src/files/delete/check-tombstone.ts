import { and, eq } from "drizzle-orm";
import { removeEach } from "#cdn/remove-each.js";
import type { Queries } from "#db/client.js";
import { tombstones } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { abortUploads, type AbortUploadsDeps } from "#files/parts/abort-uploads.js";
import { nextTombstoneCheckAt } from "#files/record/check-schedule.js";

export interface EmptyPathDeps {
  db: Queries;
  store: Pick<ObjectStore, "head" | "remove" | "published">;
}

export interface CheckTombstoneDeps extends EmptyPathDeps {
  store: EmptyPathDeps["store"] & AbortUploadsDeps["store"];
  clock: () => Date;
}

/**
 * Checks the path of a deleted file: removes an object that a replayed URL or a late copy wrote there, and parts that arrived late. Deletes
 * the tombstone once no URL to the path can be valid any more, and the CDN has forgotten what was removed.
 *
 * @returns whether the path has a tombstone
 * @throws {StowageError} `unavailable`
 */
export async function checkTombstone(
  deps: CheckTombstoneDeps,
  projectId: number,
  path: string,
): Promise<boolean> {
  const tombstone = await emptyPath(deps, projectId, path);
  if (!tombstone) return false;
  if (tombstone.hadParts) await abortUploads(deps, path);
  const now = deps.clock();
  await deps.db.run(async (db) => {
    if (now >= tombstone.until) {
      // The check above came after the last possible write.
      await db.delete(tombstones).where(isAt(projectId, path));
    } else {
      const nextCheckAt = nextTombstoneCheckAt(tombstone.until, now);
      await db.update(tombstones).set({ nextCheckAt }).where(isAt(projectId, path));
    }
  });
  return true;
}

/**
 * Removes what storage has at the path of a deleted file, in both buckets. The tombstone remembers the removal until the CDN has forgotten
 * the object too: a process may die, and the CDN may refuse the order, when storage has no object any more.
 *
 * @returns the tombstone; undefined if the path has none, and then nothing was removed
 * @throws {StowageError} `unavailable`; the next check of the tombstone repeats the removal
 */
export async function emptyPath(deps: EmptyPathDeps, projectId: number, path: string) {
  const isThis = isAt(projectId, path);
  const [tombstone] = await deps.db.run((db) => db.select().from(tombstones).where(isThis));
  if (!tombstone) return;
  const buckets = [deps.store, ...(deps.store.published ? [deps.store.published] : [])];
  const found = [];
  for (const bucket of buckets) if (tombstone.isRemoving || (await bucket.head(path))) found.push(bucket);
  if (found.length === 0) return tombstone;
  if (!tombstone.isRemoving)
    await deps.db.run((db) => db.update(tombstones).set({ isRemoving: true }).where(isThis));
  await removeEach(found, (bucket) => bucket.remove(path));
  await deps.db.run((db) => db.update(tombstones).set({ isRemoving: false }).where(isThis));
  return tombstone;
}

function isAt(projectId: number, path: string) {
  return and(eq(tombstones.projectId, projectId), eq(tombstones.path, path));
}
