import type { CountLimits } from "@stowage/schemas";
import { sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { files } from "#db/schema/index.js";
import { endReplacementsOf, lowerCredit } from "#files/end/replacements.js";
import {
  canReplace,
  keepOldFile,
  type LockedUpload,
  lockUpload,
  replaceOldFile,
} from "#files/end/replace-old-file.js";
import type { StoredObject } from "#object-store/object-store.js";
import { isCounted, isFile } from "#files/record/file-conditions.js";
import { recordDeletes, recordReplay } from "#files/record/file-events.js";
import { withoutUpload } from "#files/parts/forget-upload.js";
import { markVariantsOfFile } from "#variants/remove-variants.js";
import { updateFolderCounters } from "#tenants/folder-counters.js";
import { noUsageChange, updateUsageCounters } from "#tenants/usage-counters.js";
import { emitFileEvents, type EventTraceDeps } from "#outbox/emit-events.js";
import { storedEtagOf } from "#object-store/bucket-of.js";
import { nextCheckAt } from "#files/record/check-schedule.js";
import { markUploadsStored } from "./mark-stored.js";

type FileRow = typeof files.$inferSelect;

interface ApplyStorageStateDeps extends EventTraceDeps {
  db: Queries;
  clock: () => Date;
  defaultQuotaBytes: number | null;
  defaultLimits: CountLimits;
  /** Counts an object also if it does not fit the quota. @default false */
  ignoresQuota?: boolean;
}

/**
 * Updates a file's row and its tenant's counters to what a HEAD request found, in one transaction. settle-upload.ts handles the
 * frequent cases in a single statement. This function handles all others: a replayed URL, an upload that expires, an object that
 * arrived late or does not fit the quota.
 *
 * @param seen the row as it was read before the HEAD request
 * @param object what the HEAD request found; null for no object
 * @returns `outdated` if the row has changed since it was read: then nothing was written, and storage must be checked again
 * @throws {StowageError} `unavailable`
 */
export function applyStorageState(
  deps: ApplyStorageStateDeps,
  seen: FileRow,
  object: StoredObject | null,
): Promise<"stored" | "absent" | "removing" | "gone" | "outdated"> {
  return inTransaction(deps.db, async (db, tx) => {
    const { file, replacement } = await lockUpload(tx, seen);
    if (!file || file.status === "deleting") return "gone";
    if (object && matchesObject(file, object)) return confirm(tx, deps, file);
    if (file.revision !== seen.revision) return "outdated";
    return object ? recordObject(tx, { ...deps, db }, { file, replacement }, object) : expire(tx, deps, file);
  });
}

/** Whether the row already describes this object. */
export function matchesObject(file: FileRow, object: StoredObject): boolean {
  return isCounted(file.status) && file.size === object.sizeBytes && storedEtagOf(file) === object.etag;
}

/** Changes only the time of the next check. The revision stays, so concurrent settles of this file are not outdated by it. */
async function confirm(tx: Transaction, deps: ApplyStorageStateDeps, file: FileRow): Promise<"stored"> {
  await tx
    .update(files)
    .set({ nextCheckAt: nextCheckAt(file, deps.clock()) })
    .where(isFile(file));
  return "stored";
}

async function recordObject(
  tx: Transaction,
  deps: ApplyStorageStateDeps,
  { file: locked, replacement }: { file: FileRow; replacement: LockedUpload["replacement"] },
  object: StoredObject,
): Promise<"stored" | "removing"> {
  const now = deps.clock();
  const replaceable = replacement && canReplace(replacement) ? replacement : undefined;
  const file = replacement && !replaceable ? await keepOldFile(tx, locked, replacement) : locked;
  if (isCounted(file.status)) {
    await recordReplay(tx, file, { at: now, size: object.sizeBytes, etag: object.etag });
    if (object.sizeBytes < (file.size ?? 0)) await lendFewerBytes(tx, file, object.sizeBytes, now);
  }
  await markVariantsOfFile(tx, file, now);
  const { ignoresQuota } = deps;
  const store = async (db: Queries) => {
    const found = { seen: file, object, ignoresQuota, traceparent: deps.traceparent?.() };
    const [isMarked] = await markUploadsStored({ ...deps, db }, [found]);
    return isMarked === true;
  };
  const isMarked = await (replaceable ? replaceOldFile(deps, file, replaceable, store) : store(deps.db));
  if (isMarked) return "stored";
  // The row is locked and has not changed, so the bytes do not fit the quota.
  await refuse(tx, deps, file, object);
  return "removing";
}

/** Deletes a file whose bytes do not fit the quota. What it counted and reserved is returned. */
async function refuse(
  tx: Transaction,
  deps: ApplyStorageStateDeps,
  file: FileRow,
  object: StoredObject,
): Promise<void> {
  const { projectId, id, tenant, folder, status } = file;
  const at = deps.clock();
  await recordDeletes(tx, { projectId, fileIds: [id] }, { at, actor: "quota" });
  await update(tx, file, {
    status: "deleting",
    isOverQuota: true,
    purgeAt: null,
    reservedBytes: 0,
    nextCheckAt: at,
  });
  const credit = await endReplacementsOf(tx, file);
  const deleted = isCounted(status) ? { deletedFiles: 1, deletedBytes: file.size ?? 0 } : {};
  await updateUsageCounters(tx, { projectId, at }, [
    { ...noUsageChange(tenant), ...deleted, reservedBytes: credit - file.reservedBytes },
  ]);
  if (isCounted(status))
    await updateFolderCounters(tx, projectId, [{ tenant, folder, files: -1, bytes: -(file.size ?? 0) }]);
  // For receivers, a file in the trash was deleted before.
  if (file.purgeAt === null) await emitFileEvents(tx, "file.deleted", causeOf(deps, file, at), [id]);
  await tx.execute(
    sql`select reach_quota(${projectId}::bigint, ${at.toISOString()}::timestamptz, ${tenant}::bigint, ${object.sizeBytes}::bigint, ${deps.defaultQuotaBytes}::bigint)`,
  );
}

/** Marks an upload as expired: storage has no object and no parts, and its URL has expired. Its reservation is returned. */
async function expire(tx: Transaction, deps: ApplyStorageStateDeps, file: FileRow): Promise<"absent"> {
  const now = deps.clock();
  await update(tx, file, {
    status: "expired",
    reservedBytes: 0,
    ...withoutUpload,
    nextCheckAt: nextCheckAt({ ...file, status: "expired" }, now),
  });
  const credit = file.isReplacement ? await lowerCredit(tx, file, () => 0) : 0;
  if (file.reservedBytes > 0) {
    await updateUsageCounters(tx, { projectId: file.projectId, at: now }, [
      { ...noUsageChange(file.tenant), reservedBytes: credit - file.reservedBytes },
    ]);
  }
  await emitFileEvents(tx, "file.expired", causeOf(deps, file, now), [file.id]);
  return "absent";
}

/** An upload that replaces the file may use no more bytes than the file has now. */
async function lendFewerBytes(tx: Transaction, file: FileRow, sizeBytes: number, at: Date): Promise<void> {
  const reservedBytes = await lowerCredit(tx, file, ({ oldFile, creditBytes }) =>
    oldFile === file.id ? sizeBytes : creditBytes,
  );
  if (reservedBytes > 0)
    await updateUsageCounters(tx, { projectId: file.projectId, at }, [
      { ...noUsageChange(file.tenant), reservedBytes },
    ]);
}

function causeOf({ traceparent }: EventTraceDeps, { projectId }: FileRow, at: Date) {
  return { projectId, at, traceparent: traceparent?.() };
}

async function update(
  tx: Transaction,
  file: FileRow,
  values: PgUpdateSetSource<typeof files>,
): Promise<void> {
  await tx
    .update(files)
    .set({ ...values, revision: file.revision + 1 })
    .where(isFile(file));
}
