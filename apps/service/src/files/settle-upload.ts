import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";

export interface SettleUploadDeps {
  db: Database;
  store: Pick<ObjectStore, "head">;
  clock: () => Date;
}

/**
 * Looks at what lies in storage and sets the file's row and its tenant's counters to it, in one transaction. Settling
 * twice changes nothing; two at once wait for each other. The look comes before the transaction: no lock waits for storage.
 *
 * @returns whether storage holds the object
 * @throws {StowageError} `unavailable`
 */
export async function settleUpload(
  deps: SettleUploadDeps,
  projectId: number,
  path: string,
): Promise<boolean> {
  const object = await deps.store.head(path);
  if (!object) return false;
  const now = deps.clock();
  await deps.db.run((db) =>
    db.transaction(async (tx) => {
      const isThisFile = and(eq(files.projectId, projectId), eq(files.path, path));
      const [before] = await tx.select().from(files).where(isThisFile).for("update");
      if (!before || before.status === "deleting") return;
      await tx
        .update(files)
        .set({
          status: "stored",
          size: object.sizeBytes,
          etag: object.etag,
          reservedBytes: 0,
          storedAt: before.storedAt ?? now,
        })
        .where(isThisFile);
      await tx
        .update(tenants)
        .set({
          usedBytes: sql`${tenants.usedBytes} + ${object.sizeBytes - (before.size ?? 0)}`,
          reservedBytes: sql`${tenants.reservedBytes} - ${before.reservedBytes}`,
          fileCount: sql`${tenants.fileCount} + ${before.status === "stored" ? 0 : 1}`,
        })
        .where(and(eq(tenants.projectId, projectId), eq(tenants.id, before.tenant)));
    }),
  );
  return true;
}
