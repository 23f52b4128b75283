import { type CountLimits, StowageError } from "@stowage/schemas";
import { and, eq } from "drizzle-orm";
import { inTransaction, type Queries } from "#db/client.js";
import { files } from "#db/schema/index.js";
import type { ObjectStore, StoredObject } from "#object-store/object-store.js";
import { isFile, isFileAt } from "#files/record/file-conditions.js";
import { queueMoves } from "#files/record/file-tasks.js";
import type { EventTraceDeps } from "#outbox/emit-events.js";
import { bucketOf } from "#object-store/bucket-of.js";
import { applyStorageState, matchesObject } from "./apply-storage-state.js";
import { nextCheckAt, pendingExpiresAt } from "#files/record/check-schedule.js";
import type { FoundUpload, MarkStored } from "./mark-stored.js";
import { withTypeOfTs } from "./type-of-ts.js";

export interface SettleUploadDeps extends EventTraceDeps {
  db: Queries;
  store: Pick<ObjectStore, "head" | "read" | "published">;
  markStored: MarkStored;
  clock: () => Date;
  defaultQuotaBytes: number | null;
  defaultLimits: CountLimits;
  /** See {@link applyStorageState}. @default false */
  ignoresQuota?: boolean;
}

/**
 * - `stored`: the object is there and recorded
 * - `absent`: storage has no object (yet)
 * - `removing`: the object does not fit the quota. The row is `deleting` now; remove the object with {@link removeObject}
 * - `gone`: there is no such file, or it is being deleted
 */
export type SettleOutcome = "stored" | "absent" | "removing" | "gone";

type FileRow = typeof files.$inferSelect;

/** Each further attempt checks storage again. More than one is needed only if others change the same file at the same time. */
const MAX_ATTEMPTS = 5;

/**
 * Checks storage for the object at a path and updates the file's row and its tenant's counters to match. Settling twice changes
 * nothing. Storage is asked before anything is locked, so no lock waits for storage. If the row changes in between, the answer of
 * storage is outdated and the check is repeated. A crash between two steps leaves the row as it was.
 *
 * @throws {StowageError} `unavailable`, also if others change the file during every attempt
 */
export async function settleUpload(
  deps: SettleUploadDeps,
  projectId: number,
  path: string,
): Promise<SettleOutcome> {
  const row = await readRow(deps, projectId, path);
  return row ? settleFile(deps, row) : "gone";
}

/**
 * The same for a file whose row has just been read.
 *
 * @throws {StowageError} `unavailable`
 */
export function settleFile(deps: SettleUploadDeps, file: FileRow): Promise<SettleOutcome> {
  return settle(deps, file, reschedule);
}

/**
 * Records the object of a file, as {@link settleFile} does, and writes nothing if storage has none. For calls that only need to
 * know whether the bytes have arrived.
 *
 * @throws {StowageError} `unavailable`
 */
export function recordArrival(deps: SettleUploadDeps, file: FileRow): Promise<SettleOutcome> {
  return settle(deps, file, async () => true);
}

/** @param acceptAbsence called if storage has no object; returns false if the row must be changed because of that */
async function settle(
  deps: SettleUploadDeps,
  file: FileRow,
  acceptAbsence: (deps: SettleUploadDeps, seen: FileRow) => Promise<boolean>,
): Promise<SettleOutcome> {
  let seen: FileRow | undefined = file;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const object = await bucketOf(deps.store, seen.place).head(seen.path);
    if (seen.place === "public") await noteReplay(deps, seen);
    if (object && isSettled(deps, seen, object)) return "stored";
    if (!object && (await acceptAbsence(deps, seen))) return "absent";
    if (object) seen = await withTypeOfTs(deps, seen, object);
    if (object && seen.status === "pending" && (await markStored(deps, { seen, object }))) return "stored";
    const outcome = await applyStorageState(deps, seen, object);
    if (outcome !== "outdated") return outcome;
    seen = await readRow(deps, file.projectId, file.path);
    if (!seen) return "gone";
  }
  throw new StowageError("unavailable", {
    retryAfterSeconds: 1,
    cause: new Error("too many concurrent changes of one file"),
  });
}

/**
 * A public file does not change by a replay of its upload URL, which writes into the private bucket. The object there is removed by the
 * move of the file: visibility/move-file.ts
 */
async function noteReplay(deps: SettleUploadDeps, { hasOtherCopy, path, ...file }: FileRow): Promise<void> {
  if (hasOtherCopy || !(await deps.store.head(path))) return;
  await inTransaction(deps.db, async (db, tx) => {
    await tx
      .update(files)
      .set({ hasOtherCopy: true })
      .where(and(isFile(file), eq(files.place, "public")));
    await queueMoves(db, file.projectId, [file.id], deps.clock());
  });
}

function markStored(
  { markStored, traceparent, ignoresQuota }: SettleUploadDeps,
  found: FoundUpload,
): Promise<boolean> {
  return markStored({ ...found, ignoresQuota, traceparent: traceparent?.() });
}

export async function readRow(
  deps: { db: Queries },
  projectId: number,
  path: string,
): Promise<FileRow | undefined> {
  const [row] = await deps.db.run((db) => db.select().from(files).where(isFileAt(projectId, path)));
  return row;
}

/** Whether there is nothing to write, for example when a completion call follows the storage event of the same upload. */
function isSettled(deps: SettleUploadDeps, file: FileRow, object: StoredObject): boolean {
  return (
    matchesObject(file, object) && file.nextCheckAt?.getTime() === nextCheckAt(file, deps.clock())?.getTime()
  );
}

/**
 * Storage has no object and the upload has not expired, so only the time of the next check changes. This takes a single
 * statement, because the sweeper finds this case most often. The object of a stored file can be missing if someone deleted it
 * with the bucket's own keys: `reconcile` reports that, a settle does not guess.
 *
 * @returns false if there is more to do, or if the row has changed since it was read
 */
async function reschedule(deps: SettleUploadDeps, seen: FileRow): Promise<boolean> {
  // That an upload by parts has no object says nothing about its parts: see parts/check-parts.ts.
  if (seen.partSize !== null && seen.status === "pending") return true;
  const now = deps.clock();
  const isToExpire = seen.status === "pending" && now >= pendingExpiresAt(seen.urlExpiresAt);
  if (isToExpire || seen.status === "deleting") return false;
  const [row] = await deps.db.run((db) =>
    db
      .update(files)
      .set({ nextCheckAt: nextCheckAt(seen, now) })
      .where(and(isFile(seen), eq(files.revision, seen.revision)))
      .returning({ id: files.id }),
  );
  return row !== undefined;
}
