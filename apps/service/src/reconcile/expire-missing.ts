import { and } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { endReplacementsOf } from "#files/end/replacements.js";
import { files } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { hasCountedStatus, isFile, isFileAt } from "#files/record/file-conditions.js";
import { recordLoss } from "#files/record/file-events.js";
import { bucketOf } from "#object-store/bucket-of.js";
import { nextCheckAt } from "#files/record/check-schedule.js";
import { markVariantsOfFile } from "#variants/remove-variants.js";
import { updateFolderCounters } from "#tenants/folder-counters.js";
import { noUsageChange, updateUsageCounters } from "#tenants/usage-counters.js";
import { emitFileEvents } from "#outbox/emit-events.js";

/**
 * Stops counting a file, stored or in the trash, whose object is missing: the file becomes `expired` and loses its size. If the
 * object comes back, from a backup or a replayed URL, it is settled like a late upload. A file in the trash keeps the end of its time
 * there: it comes back into the trash, or is forgotten at that time.
 *
 * @param options.emits whether webhooks tell that the file is lost. @default true
 * @returns whether the file was changed. It is not if the object exists after all, or if the row changed in the meantime
 * @throws {StowageError} `unavailable`
 */
export async function expireMissing(
  deps: { db: Queries; store: Pick<ObjectStore, "head" | "published">; clock: () => Date },
  projectId: number,
  path: string,
  { emits = true }: { emits?: boolean } = {},
): Promise<boolean> {
  const isStoredFile = and(isFileAt(projectId, path), hasCountedStatus);
  const [seen] = await deps.db.run((db) =>
    db.select({ revision: files.revision, place: files.place }).from(files).where(isStoredFile),
  );
  if (!seen || (await bucketOf(deps.store, seen.place).head(path))) return false;
  return deps.db.run((db) =>
    db.transaction(async (tx) => {
      const [file] = await tx.select().from(files).where(isStoredFile).for("update");
      if (file?.revision !== seen.revision) return false;
      const now = deps.clock();
      await recordLoss(tx, file, now);
      await markVariantsOfFile(tx, file, now);
      await tx
        .update(files)
        .set({
          status: "expired",
          size: null,
          etag: null,
          storedAt: null,
          // If its bytes come back, then by its URL, into the private bucket.
          place: "private",
          publishedEtag: null,
          nextCheckAt: nextCheckAt({ ...file, status: "expired" }, now),
          revision: file.revision + 1,
        })
        .where(isFile(file));
      const reservedBytes = await endReplacementsOf(tx, file);
      await updateUsageCounters(tx, { projectId, at: now }, [
        {
          ...noUsageChange(file.tenant),
          deletedFiles: 1,
          deletedBytes: file.size ?? 0,
          reservedBytes,
        },
      ]);
      const { tenant, folder } = file;
      await updateFolderCounters(tx, projectId, [{ tenant, folder, files: -1, bytes: -(file.size ?? 0) }]);
      // For receivers, a file in the trash was deleted.
      if (emits && file.status === "stored")
        await emitFileEvents(tx, "file.expired", { projectId, at: now }, [file.id]);
      return true;
    }),
  );
}
