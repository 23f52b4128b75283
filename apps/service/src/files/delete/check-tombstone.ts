import { and, eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { tombstones } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { abortUploads, type AbortUploadsDeps } from "#files/parts/abort-uploads.js";
import { nextTombstoneCheckAt } from "#files/settle/check-schedule.js";

export interface CheckTombstoneDeps {
  db: Queries;
  store: Pick<ObjectStore, "head" | "remove" | "published"> & AbortUploadsDeps["store"];
  clock: () => Date;
}

/**
 * Checks the path of a deleted file: removes an object that a replayed URL wrote there, and parts that arrived late. Deletes the
 * tombstone once no URL to the path can be valid any more.
 *
 * @returns whether the path has a tombstone
 * @throws {StowageError} `unavailable`
 */
export async function checkTombstone(
  deps: CheckTombstoneDeps,
  projectId: number,
  path: string,
): Promise<boolean> {
  const isThis = and(eq(tombstones.projectId, projectId), eq(tombstones.path, path));
  const [tombstone] = await deps.db.run((db) => db.select().from(tombstones).where(isThis));
  if (!tombstone) return false;
  for (const bucket of [deps.store, ...(deps.store.published ? [deps.store.published] : [])])
    if (await bucket.head(path)) await bucket.remove(path);
  if (tombstone.hadParts) await abortUploads(deps, path);
  const now = deps.clock();
  await deps.db.run(async (db) => {
    if (now >= tombstone.until) {
      // The check above came after the last possible write.
      await db.delete(tombstones).where(isThis);
    } else {
      const nextCheckAt = nextTombstoneCheckAt(tombstone.until, now);
      await db.update(tombstones).set({ nextCheckAt }).where(isThis);
    }
  });
  return true;
}
