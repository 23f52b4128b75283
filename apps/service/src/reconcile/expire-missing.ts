import { and, eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files } from "#db/schema/index.js";
import { hasStatus } from "#files/file-conditions.js";
import { nextCheckAt } from "#files/settle/check-schedule.js";
import { recordLoss } from "#files/file-events.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { updateUsageCounters, noUsageChange } from "#files/usage-counters.js";

/**
 * Stops counting a stored file whose object is gone: it becomes `expired`, without a size. An object that comes back, from
 * a backup or a replayed URL, is settled like any upload that came late.
 *
 * @returns whether the file was changed: not when its object is there after all, or somebody else changed the row
 * @throws {StowageError} `unavailable`
 */
export async function expireMissing(
  deps: { db: Queries; store: Pick<ObjectStore, "head">; clock: () => Date },
  projectId: number,
  path: string,
): Promise<boolean> {
  const isThisFile = and(eq(files.projectId, projectId), eq(files.path, path), hasStatus("stored"));
  const [seen] = await deps.db.run((db) =>
    db.select({ revision: files.revision }).from(files).where(isThisFile),
  );
  if (!seen || (await deps.store.head(path))) return false;
  return deps.db.run((db) =>
    db.transaction(async (tx) => {
      const [file] = await tx.select().from(files).where(isThisFile).for("update");
      if (file?.revision !== seen.revision) return false;
      const now = deps.clock();
      await recordLoss(tx, file, now);
      await tx
        .update(files)
        .set({
          status: "expired",
          size: null,
          etag: null,
          storedAt: null,
          nextCheckAt: nextCheckAt({ ...file, status: "expired" }, now),
          revision: file.revision + 1,
        })
        .where(and(eq(files.projectId, projectId), eq(files.id, file.id)));
      await updateUsageCounters(tx, { projectId, at: now }, [
        { ...noUsageChange(file.tenant), deletedFiles: 1, deletedBytes: file.size ?? 0 },
      ]);
      return true;
    }),
  );
}
