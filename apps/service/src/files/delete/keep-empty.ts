import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client.js";
import { tombstones } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { nextTombstoneLookAt } from "#files/settle/look-schedule.js";

export interface KeepEmptyDeps {
  db: Database;
  store: Pick<ObjectStore, "head" | "remove">;
  clock: () => Date;
}

/**
 * Looks at the path of a deleted file: an object that a replayed URL brought back is removed again. Once no URL to it can be
 * alive the tombstone goes.
 *
 * @returns whether there is a tombstone for the path
 * @throws {StowageError} `unavailable`
 */
export async function keepEmpty(deps: KeepEmptyDeps, projectId: number, path: string): Promise<boolean> {
  const isThis = and(eq(tombstones.projectId, projectId), eq(tombstones.path, path));
  const [tombstone] = await deps.db.run((db) => db.select().from(tombstones).where(isThis));
  if (!tombstone) return false;
  if (await deps.store.head(path)) await deps.store.remove(path);
  const now = deps.clock();
  await deps.db.run(async (db) => {
    // The look above came at or after the end: nothing can be written any more.
    if (now >= tombstone.until) await db.delete(tombstones).where(isThis);
    else
      await db
        .update(tombstones)
        .set({ nextLookAt: nextTombstoneLookAt(tombstone.until, now) })
        .where(isThis);
  });
  return true;
}
