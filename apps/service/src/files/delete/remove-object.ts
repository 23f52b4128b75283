import { and, eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files, tombstones } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { hasStatus } from "#files/list/has-status.js";
import { lastLookAt } from "#files/settle/look-schedule.js";

export interface RemoveObjectDeps {
  db: Queries;
  store: Pick<ObjectStore, "remove">;
  clock: () => Date;
}

/**
 * Second half of a delete: takes the object of a `deleting` file out of storage, and the row with it. As long as a URL to
 * the path may be alive a tombstone stays in its place. Safe to repeat, and repeated by the sweeper until it went through.
 *
 * @throws {StowageError} `unavailable`
 */
export async function removeObject(deps: RemoveObjectDeps, projectId: number, path: string): Promise<void> {
  await deps.store.remove(path);
  const isThisFile = and(eq(files.projectId, projectId), eq(files.path, path), hasStatus("deleting"));
  await deps.db.run((db) =>
    db.transaction(async (tx) => {
      const [file] = await tx.delete(files).where(isThisFile).returning({ urlExpiresAt: files.urlExpiresAt });
      if (!file) return;
      const now = deps.clock();
      const until = lastLookAt(file.urlExpiresAt);
      if (until <= now) return;
      await tx.insert(tombstones).values({ projectId, path, until, nextLookAt: now }).onConflictDoNothing();
    }),
  );
}
