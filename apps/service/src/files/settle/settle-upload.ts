import { StowageError } from "@stowage/schemas";
import { and, eq, sql } from "drizzle-orm";
import type { Queries, Transaction } from "#db/client.js";
import { files, projects, tenants } from "#db/schema/index.js";
import type { ObjectStore, StoredObject } from "#object-store/object-store.js";
import { countFiles, noChange } from "#files/count-files.js";
import { lapsesAt, nextLookAt } from "./look-schedule.js";
import { noteDeletes, noteReplay } from "#files/note-events.js";
import type { RecordArrival } from "./record-arrival.js";

export interface SettleUploadDeps {
  db: Queries;
  store: Pick<ObjectStore, "head">;
  recordArrival: RecordArrival;
  clock: () => Date;
  defaultQuotaBytes: number | null;
}

/**
 * What a settle found: `stored` and recorded, `absent` so far, `removing` what came too late for its quota (the row is
 * `deleting` now, see remove-object.ts), or `gone`: no such file, or one that is being deleted.
 */
export type SettleOutcome = "stored" | "absent" | "removing" | "gone";

type FileRow = typeof files.$inferSelect;

/** Each further try is another look into storage; more than one means that others settled the same file meanwhile. */
const MOST_TRIES = 5;

/**
 * Looks at what lies in storage and sets the file's row and its tenant's counters to it. Settling twice changes nothing.
 * The look comes before anything is locked, so no lock ever waits for storage; when another settle wrote in between, the look
 * is old and is taken again. A crash between any two steps leaves the row as it was.
 *
 * @throws {StowageError} `unavailable`, also in the odd case that others kept changing the file under each look
 */
export async function settleUpload(
  deps: SettleUploadDeps,
  projectId: number,
  path: string,
): Promise<SettleOutcome> {
  const seen = await readSeen(deps, projectId, path);
  return seen ? settleSeen(deps, seen) : "gone";
}

/** The whole row: what a settle has to have read before it looks into storage. */
export async function readSeen(
  deps: { db: Queries },
  projectId: number,
  path: string,
): Promise<FileRow | undefined> {
  const [row] = await deps.db.run((db) => db.select().from(files).where(isAt({ projectId, path })));
  return row;
}

/** The same of a file whose row has just been read. */
export async function settleSeen(deps: SettleUploadDeps, first: FileRow): Promise<SettleOutcome> {
  let seen: FileRow | undefined = first;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const object = await deps.store.head(seen.path);
    if (object && isSettled(deps, seen, object)) return "stored";
    if (!object && (await putOff(deps, seen))) return "absent";
    if (object && seen.status === "pending" && (await deps.recordArrival({ seen, object }))) return "stored";
    const outcome = await recordLook(deps, seen, object);
    if (outcome !== "outdated") return outcome;
    seen = await readSeen(deps, first.projectId, first.path);
    if (!seen) return "gone";
  }
  throw new StowageError("unavailable", {
    retryAfterSeconds: 1,
    cause: new Error("too many settles of one file at once"),
  });
}

/** What else a look may find, in a transaction. */
function recordLook(
  deps: SettleUploadDeps,
  seen: FileRow,
  object: StoredObject | null,
): Promise<SettleOutcome | "outdated"> {
  return deps.db.run((db) =>
    db.transaction(async (tx) => {
      const [file] = await tx.select().from(files).where(isAt(seen)).for("update");
      if (!file || file.status === "deleting") return "gone";
      if (object && agrees(file, object)) return confirm(tx, deps, file);
      if (file.revision !== seen.revision) return "outdated";
      return object ? recordPresence(tx, deps, file, object) : expire(tx, deps, file);
    }),
  );
}

/**
 * Nothing has come and nothing is to be given up, so only the next look's time changes: by one statement, since the sweeper finds this
 * more often than anything else. A stored object that vanished was taken by somebody with the bucket's own keys: `reconcile`
 * tells, we do not guess.
 *
 * @returns false when there is more to do, or somebody has changed the file since it was seen
 */
async function putOff(deps: SettleUploadDeps, seen: FileRow): Promise<boolean> {
  const now = deps.clock();
  const isToExpire = seen.status === "pending" && now >= lapsesAt(seen.urlExpiresAt);
  if (isToExpire || seen.status === "deleting") return false;
  const asSeen = and(isRow(seen), eq(files.revision, seen.revision));
  const [row] = await deps.db.run((db) =>
    db
      .update(files)
      .set({ nextLookAt: nextLookAt(seen, now) })
      .where(asSeen)
      .returning({ id: files.id }),
  );
  return row !== undefined;
}

/** Nothing to write, as when a completion follows an event of the same upload. */
function isSettled(deps: SettleUploadDeps, file: FileRow, object: StoredObject): boolean {
  return agrees(file, object) && file.nextLookAt?.getTime() === nextLookAt(file, deps.clock())?.getTime();
}

function agrees(file: FileRow, object: StoredObject): boolean {
  return file.status === "stored" && file.size === object.sizeBytes && file.etag === object.etag;
}

/** Nothing to change but the time of the next look: no new revision, so nobody else has to look again for it. */
async function confirm(tx: Transaction, deps: SettleUploadDeps, file: FileRow): Promise<SettleOutcome> {
  await tx
    .update(files)
    .set({ nextLookAt: nextLookAt(file, deps.clock()) })
    .where(isRow(file));
  return "stored";
}

async function recordPresence(
  tx: Transaction,
  deps: SettleUploadDeps,
  file: FileRow,
  object: StoredObject,
): Promise<SettleOutcome> {
  const now = deps.clock();
  // Its reservation was given back, perhaps to somebody else: it has to fit as if it were asked for now.
  if (file.status === "expired" && !(await fitsQuota(tx, deps, file, object.sizeBytes))) {
    await noteDeletes(tx, { projectId: file.projectId, fileIds: [file.id] }, { at: now, actor: "service" });
    await update(tx, file, { status: "deleting", nextLookAt: now });
    return "removing";
  }
  if (file.status === "stored")
    await noteReplay(tx, file, { at: now, size: object.sizeBytes, etag: object.etag });
  await update(tx, file, {
    status: "stored",
    size: object.sizeBytes,
    etag: object.etag,
    reservedBytes: 0,
    storedAt: file.storedAt ?? now,
    nextLookAt: nextLookAt({ ...file, status: "stored" }, now),
  });
  // What a replayed URL wrote over what was there: one came, one went.
  const replaced = file.status === "stored" ? { files: 1, bytes: file.size ?? 0 } : { files: 0, bytes: 0 };
  await countFiles(tx, { projectId: file.projectId, at: now }, [
    {
      ...noChange(file.tenant),
      uploads: 1,
      uploadedBytes: object.sizeBytes,
      deletedFiles: replaced.files,
      deletedBytes: replaced.bytes,
      reservedBytes: -file.reservedBytes,
    },
  ]);
  return "stored";
}

/** The upload is given up: nothing has come for it, and its URL has lapsed. */
async function expire(tx: Transaction, deps: SettleUploadDeps, file: FileRow): Promise<SettleOutcome> {
  await update(tx, file, {
    status: "expired",
    reservedBytes: 0,
    nextLookAt: nextLookAt({ ...file, status: "expired" }, deps.clock()),
  });
  if (file.reservedBytes > 0) await giveBack(tx, file);
  return "absent";
}

async function update(
  tx: Transaction,
  file: FileRow,
  values: Partial<typeof files.$inferInsert>,
): Promise<void> {
  await tx
    .update(files)
    .set({ ...values, revision: file.revision + 1 })
    .where(isRow(file));
}

async function giveBack(tx: Transaction, file: FileRow): Promise<void> {
  await tx
    .update(tenants)
    .set({ reservedBytes: sql`${tenants.reservedBytes} - ${file.reservedBytes}` })
    .where(and(eq(tenants.projectId, file.projectId), eq(tenants.id, file.tenant)));
}

/** Locks the tenant, so that what fits now still fits when it is counted. */
async function fitsQuota(
  tx: Transaction,
  deps: SettleUploadDeps,
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

function isAt({ projectId, path }: Pick<FileRow, "projectId" | "path">) {
  return and(eq(files.projectId, projectId), eq(files.path, path));
}

function isRow(file: FileRow) {
  return and(eq(files.projectId, file.projectId), eq(files.id, file.id));
}
