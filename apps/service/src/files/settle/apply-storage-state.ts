import type { ScanSetting } from "@stowage/operator-schemas";
import { and, eq, sql } from "drizzle-orm";
import type { Queries, Transaction } from "#db/client.js";
import { files, projects, tenants } from "#db/schema/index.js";
import type { StoredObject } from "#object-store/object-store.js";
import { isCounted, isFile, isFileAt } from "#files/record/file-conditions.js";
import { recordDeletes, recordReplay } from "#files/record/file-events.js";
import { withCompletedUpload, withoutUpload } from "#files/parts/forget-upload.js";
import { markVariantsOfFile } from "#variants/remove-variants.js";
import { noUsageChange, updateUsageCounters } from "#tenants/usage-counters.js";
import { emitFileEvents, type EventTraceDeps } from "#outbox/emit-events.js";
import { storedEtagOf } from "#object-store/bucket-of.js";
import { nextCheckAt } from "#files/record/check-schedule.js";

type FileRow = typeof files.$inferSelect;

interface ApplyStorageStateDeps extends EventTraceDeps {
  db: Queries;
  clock: () => Date;
  defaultQuotaBytes: number | null;
  /** Counts an object that arrived late also if it does not fit the quota. @default false */
  ignoresQuota?: boolean;
}

/**
 * Updates a file's row and its tenant's counters to what a HEAD request found, in one transaction. settle-upload.ts handles the
 * frequent cases in a single statement. This function handles all others: a replayed URL, an upload that expires, an object that
 * arrived late.
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
  return deps.db.run((db) =>
    db.transaction(async (tx) => {
      const [file] = await tx.select().from(files).where(isFileAt(seen.projectId, seen.path)).for("update");
      if (!file || file.status === "deleting") return "gone";
      if (object && matchesObject(file, object)) return confirm(tx, deps, file);
      if (file.revision !== seen.revision) return "outdated";
      return object ? recordObject(tx, deps, file, object) : expire(tx, deps, file);
    }),
  );
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
  file: FileRow,
  object: StoredObject,
): Promise<"stored" | "removing"> {
  const now = deps.clock();
  // The reservation of an expired upload was returned, so the object must fit the quota like a new upload. A file on hold is never
  // deleted: its object was lost, and has come back.
  const needsQuota = file.status === "expired" && !file.held && !deps.ignoresQuota;
  if (needsQuota && !(await fitsQuota(tx, deps, file, object.sizeBytes))) {
    await recordDeletes(tx, { projectId: file.projectId, fileIds: [file.id] }, { at: now, actor: "service" });
    await update(tx, file, { status: "deleting", purgeAt: null, nextCheckAt: now });
    return "removing";
  }
  const wasCounted = isCounted(file.status);
  // A file in the trash stays there, also if storage had lost its object.
  const status = file.purgeAt === null ? "stored" : "trashed";
  if (wasCounted) await recordReplay(tx, file, { at: now, size: object.sizeBytes, etag: object.etag });
  await markVariantsOfFile(tx, file, now);
  const storedAt = file.storedAt ?? now;
  await update(tx, file, {
    status,
    size: object.sizeBytes,
    etag: object.etag,
    ...(file.place === "public" && { publishedEtag: object.etag }),
    ...(await scanOfOtherBytes(tx, file, object, now)),
    reservedBytes: 0,
    storedAt,
    ...withCompletedUpload,
    nextCheckAt: nextCheckAt({ ...file, status, storedAt }, now),
  });
  // If a replayed URL replaced a stored object, the old one counts as deleted.
  const replaced = wasCounted ? { files: 1, bytes: file.size ?? 0 } : { files: 0, bytes: 0 };
  await updateUsageCounters(tx, { projectId: file.projectId, at: now }, [
    {
      ...noUsageChange(file.tenant),
      uploads: 1,
      uploadedBytes: object.sizeBytes,
      deletedFiles: replaced.files,
      deletedBytes: replaced.bytes,
      reservedBytes: -file.reservedBytes,
    },
  ]);
  if (status === "stored") {
    await emitFileEvents(tx, "file.stored", causeOf(deps, file, now), [file.id]);
    await queueVariants(tx, file, now);
  }
  return "stored";
}

/** Queues the variants that the project wants of each image. The function in the database is also that of `mark_stored`. */
async function queueVariants(tx: Transaction, { projectId, id }: FileRow, at: Date): Promise<void> {
  await tx.execute(
    sql`select queue_variants(${projectId}::bigint, array[${id}::bigint], ${at.toISOString()}::timestamptz)`,
  );
}

/** A verdict is about the bytes that were scanned. Infected ones that storage had lost are still infected when they come back. */
async function scanOfOtherBytes(
  tx: Transaction,
  file: FileRow,
  { etag }: StoredObject,
  now: Date,
): Promise<Partial<FileRow>> {
  if (file.scanStatus === "infected" && file.scannedEtag === etag) return {};
  const scan = await readScan(tx, file.projectId);
  return {
    scanStatus: scan === "off" ? "none" : "pending",
    scanSignature: null,
    scannedEtag: null,
    scanDueAt: scan === "clamav" ? now : null,
    scanClaim: file.scanClaim + 1,
    scanFailures: 0,
  };
}

async function readScan(tx: Transaction, projectId: number): Promise<ScanSetting> {
  const [project] = await tx.select({ scan: projects.scan }).from(projects).where(eq(projects.id, projectId));
  return project?.scan ?? "off";
}

/** Locks the tenant, so that the quota is still kept when the object is counted. */
async function fitsQuota(
  tx: Transaction,
  deps: ApplyStorageStateDeps,
  file: FileRow,
  sizeBytes: number,
): Promise<boolean> {
  const [tenant] = await tx
    .select({
      taken: sql<number>`${tenants.usedBytes} + ${tenants.reservedBytes}`.mapWith(Number),
      quota: tenants.quotaBytes,
    })
    .from(tenants)
    .where(and(eq(tenants.projectId, file.projectId), eq(tenants.id, file.tenant)))
    .for("update");
  const [project] = await tx
    .select({ quota: projects.defaultQuotaBytes })
    .from(projects)
    .where(eq(projects.id, file.projectId));
  const quota = tenant?.quota ?? project?.quota ?? deps.defaultQuotaBytes;
  return quota === null || (tenant?.taken ?? 0) + sizeBytes <= quota;
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
  if (file.reservedBytes > 0) {
    await updateUsageCounters(tx, { projectId: file.projectId, at: now }, [
      { ...noUsageChange(file.tenant), reservedBytes: -file.reservedBytes },
    ]);
  }
  await emitFileEvents(tx, "file.expired", causeOf(deps, file, now), [file.id]);
  return "absent";
}

function causeOf({ traceparent }: EventTraceDeps, { projectId }: FileRow, at: Date) {
  return { projectId, at, traceparent: traceparent?.() };
}

async function update(
  tx: Transaction,
  file: FileRow,
  values: Partial<typeof files.$inferInsert>,
): Promise<void> {
  await tx
    .update(files)
    .set({ ...values, revision: file.revision + 1 })
    .where(isFile(file));
}
