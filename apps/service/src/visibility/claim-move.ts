import { and, eq, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { columnList, createRowParser } from "#db/raw-rows.js";
import { fileVariants, files } from "#db/schema/index.js";
import { isFile } from "#files/record/file-conditions.js";
import { addMs, SECOND_MS } from "#lib/time.js";
import { workKinds } from "#work/work-kinds.js";
import {
  createWorkQueue,
  isClaimed,
  type WorkClaim,
  type WorkDeps,
  type WorkTurn,
} from "#work/work-queue.js";
import { COUNTED } from "#db/schema/file-statuses.js";

type FileRow = typeof files.$inferSelect;

/** A file whose object one process moves. `file` is its row after the claim. */
export interface MoveClaim {
  file: FileRow;
  /** Where its object belongs. */
  target: FileRow["place"];
  /** Its task. */
  task: WorkClaim;
}

export type MoveDeps = WorkDeps;

const kind = workKinds.moves;
const queue = createWorkQueue(kind);
/** Until a file is taken back, strangers can read it. */
const LONGEST_PAUSE_OF_TAKING_BACK_MS = 15 * SECOND_MS;

/**
 * Claims a file whose object is not where it belongs.
 *
 * @returns null if none is due
 * @throws {StowageError} `unavailable`
 */
export async function claimMove(deps: MoveDeps, turn: WorkTurn): Promise<MoveClaim | null> {
  for (;;) {
    const task = await queue.claimNext(deps, turn);
    if (!task) return null;
    const claim = await begin(deps, task);
    if (claim) return claim;
  }
}

/** Claims this file. @returns null if its object is where it belongs, or if a process is moving it or failed just now */
export async function claimMoveOf(
  deps: MoveDeps,
  { projectId, id }: Pick<FileRow, "projectId" | "id">,
): Promise<MoveClaim | null> {
  const task = await queue.claimOne(deps, projectId, id);
  return task && begin(deps, task);
}

/**
 * Begins a move. `has_other_copy` is set before anything is copied, so the copy is found and removed, also if the file or the process ends
 * then.
 *
 * @returns null if the object is where it belongs by now. Then the task is over
 */
function begin(deps: MoveDeps, task: WorkClaim): Promise<MoveClaim | null> {
  return whileClaimed(deps, task, null, async (db) => {
    const [row] = await db.execute<Record<string, unknown>>(BEGIN, [task.projectId, task.key]);
    if (row) return { file: parseFile(row), target: row["target"] as FileRow["place"], task };
    await db.execute(END_TASK, keyOf(task));
    return null;
  });
}

/** The object has arrived at its place: from now on it is read there. */
export interface Arrival {
  /** Of the object at its new place. */
  etag: string;
}

/**
 * Records that the object is at its place now, and extends the lease. A copy may have another ETag: one of an object that was uploaded by
 * parts has. The verdict of a scan and the variants are about the same bytes, so they follow the ETag of a file that is private again.
 *
 * @returns false if the claim is over: the file was deleted, has other bytes, belongs elsewhere by now, or another process has claimed it
 */
export function recordArrivalAt(
  deps: MoveDeps,
  { file, target, task }: MoveClaim,
  { etag }: Arrival,
): Promise<boolean> {
  return whileClaimed(deps, task, false, async (db, tx) => {
    const publishedEtag = target === "public" ? etag : null;
    const { projectId, id, place } = file;
    const arrived = await db.execute(ARRIVE, [projectId, id, place, file.etag ?? "", target, publishedEtag]);
    if (arrived.length === 0) return false;
    if (target === "private" && etag !== file.etag) await replaceEtag(tx, file, etag);
    return true;
  });
}

async function replaceEtag(tx: Transaction, file: FileRow, etag: string): Promise<void> {
  const isSame = (value: SQL | AnyPgColumn) => sql`${value} = ${file.etag}`;
  await tx
    .update(files)
    .set({
      etag,
      scannedEtag: sql`case when ${isSame(files.scannedEtag)} then ${etag} else ${files.scannedEtag} end`,
      image: sql`case when ${isSame(sql`image ->> 'etag'`)} then image || ${JSON.stringify({ etag })}::text::jsonb else image end`,
    })
    .where(isFile(file));
  await tx
    .update(fileVariants)
    .set({ sourceEtag: etag })
    .where(
      and(
        eq(fileVariants.projectId, file.projectId),
        eq(fileVariants.fileId, file.id),
        eq(fileVariants.sourceEtag, file.etag ?? ""),
      ),
    );
}

/**
 * Records that a copy into the public bucket begins, and extends the lease.
 *
 * @returns false if the claim is over, or the file must not be public any more
 */
export function beginCopy(deps: MoveDeps, { task }: MoveClaim): Promise<boolean> {
  return whileClaimed(deps, task, false, async (db) => {
    const leaseUntil = addMs(deps.clock(), kind.leaseMs).toISOString();
    const rows = await db.execute(BEGIN_COPY, [task.projectId, task.key, leaseUntil]);
    return rows.length > 0;
  });
}

/** Records that storage has answered: the copy lands no later. What is not known of an older copy stays. */
export async function endCopy(deps: MoveDeps, { file, task }: MoveClaim): Promise<void> {
  await whileClaimed(deps, task, undefined, async (db) => {
    await db.execute(END_COPY, [task.projectId, task.key, file.publishEndsAt.toISOString()]);
  });
}

/** Gives the claim of a file that is private again back until no copy can land in the public bucket any more. */
export function awaitLateCopies(deps: MoveDeps, { file, task }: MoveClaim): Promise<void> {
  return queue.giveBack(deps, task, file.publishEndsAt.getTime() - deps.clock().getTime());
}

/** Ends a move: the other bucket has no object of the file any more. The next move begins at once if the file belongs elsewhere by now. */
export async function endMove(deps: MoveDeps, { task }: MoveClaim): Promise<void> {
  await whileClaimed(deps, task, undefined, async (db) => {
    const [file] = await db.execute<{ isMisplaced: boolean }>(END_MOVE, [task.projectId, task.key]);
    const now = deps.clock().toISOString();
    if (file?.isMisplaced) await db.execute(BEGIN_TASK_ANEW, [...keyOf(task), now]);
    else await db.execute(END_TASK, keyOf(task));
  });
}

/** Gives a claim back, because the file changed meanwhile. */
export const giveMoveBack = (deps: MoveDeps, { task }: MoveClaim): Promise<void> =>
  queue.giveBack(deps, task);

/** Gives a claim back after a failure. The pause grows with the failures. There is no last attempt. */
export function retryMoveLater(deps: MoveDeps, { task, target }: MoveClaim): Promise<void> {
  return queue.retryLater(deps, task, target === "private" ? LONGEST_PAUSE_OF_TAKING_BACK_MS : undefined);
}

/**
 * Changes the row of a claimed file in one transaction, and extends the lease. It locks the file and then the task, in the same order as
 * every change that queues a move. While it holds the task, no other process can claim it.
 *
 * @returns `otherwise` if the claim is over
 */
function whileClaimed<T>(
  deps: MoveDeps,
  task: WorkClaim,
  otherwise: T,
  change: (db: Queries, tx: Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(deps.db, async (db, tx) => {
    await db.execute(LOCK_FILE, [task.projectId, task.key]);
    const isMine = await queue.renew({ db, clock: deps.clock }, task);
    return isMine ? change(db, tx) : otherwise;
  });
}

const keyOf = ({ projectId, key, number }: WorkClaim) => [projectId, key, number];

const LOCK_FILE = `select id from files where project_id = $1::bigint and id = $2::bigint for no key update`;

const IS_FILE = "project_id = $1::bigint and id = $2::bigint";
const IS_MISPLACED = "is_misplaced(visibility, status, scan_status, place, has_other_copy)";
const PLACE = "file_place(visibility, status, scan_status)";

const BEGIN = `
update files set has_other_copy = true where ${IS_FILE} and ${IS_MISPLACED}
returning ${columnList(files, "files")}, ${PLACE} as target`;

const ARRIVE = `
update files set place = $5::file_visibility, published_etag = $6, revision = revision + 1
where ${IS_FILE} and place = $3::file_visibility and etag = $4 and status in ${COUNTED} and ${PLACE} = $5::file_visibility
returning id`;

const BEGIN_COPY = `
update files set publish_ends_at = greatest(publish_ends_at, $3::timestamptz)
where ${IS_FILE} and ${PLACE} = 'public' returning id`;

const END_COPY = `update files set publish_ends_at = $3::timestamptz where ${IS_FILE}`;

const END_MOVE = `
update files set has_other_copy = false where ${IS_FILE}
returning is_misplaced(visibility, status, scan_status, place, false) as "isMisplaced"`;

const END_TASK = `delete from file_tasks t where ${isClaimed(kind)}`;

const BEGIN_TASK_ANEW = `
update file_tasks t set due_at = $4::timestamptz, failures = 0 where ${isClaimed(kind)}`;

const parseFile = createRowParser(files);
