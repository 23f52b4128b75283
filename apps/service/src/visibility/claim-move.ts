import { and, eq, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Queries } from "#db/client.js";
import { columnList, createRowParser } from "#db/raw-rows.js";
import { fileVariants, files } from "#db/schema/index.js";
import { isFile } from "#files/record/file-conditions.js";
import { MOVE_LEASE_MS } from "#variants/copies.js";
import { addMs, HOUR_MS, SECOND_MS } from "#lib/time.js";

type FileRow = typeof files.$inferSelect;

/** A file whose object one process moves. `file` is its row after the claim. */
export interface MoveClaim {
  file: FileRow;
  /** Where its object belongs. */
  target: FileRow["place"];
}

export interface MoveDeps {
  db: Queries;
  clock: () => Date;
}

const FIRST_RETRY_MS = SECOND_MS;
const MAX_RETRY_MS = HOUR_MS;
/** Until a file is taken back, strangers can read it. */
const MAX_RETRY_OF_TAKING_BACK_MS = 15 * SECOND_MS;

/**
 * Claims a file whose object is not where it belongs. Processes go from project to project, so a project with a million moves delays no
 * other one by more than one.
 *
 * @param afterProject the project whose file was claimed last; 0 at first
 * @returns null if none is due
 * @throws {StowageError} `unavailable`
 */
export async function claimMove(deps: MoveDeps, afterProject: number): Promise<MoveClaim | null> {
  let after = afterProject;
  let isSecondRound = after === 0;
  for (;;) {
    const now = deps.clock();
    const [next] = await deps.db.execute<{ projectId: number }>(FIND_PROJECT, [after, now.toISOString()]);
    if (next) {
      after = next.projectId;
      const claim = await claimWith(deps, CLAIM_NEXT, [after], now);
      // Null: another process has claimed the last one in the meantime.
      if (claim) return claim;
    } else if (isSecondRound) return null;
    else {
      isSecondRound = true;
      after = 0;
    }
  }
}

/** Claims this file. @returns null if its object is where it belongs, or if a process is moving it or failed just now */
export function claimMoveOf(
  deps: MoveDeps,
  { projectId, id }: Pick<FileRow, "projectId" | "id">,
): Promise<MoveClaim | null> {
  return claimWith(deps, CLAIM_ONE, [projectId, id], deps.clock());
}

async function claimWith(
  deps: MoveDeps,
  statement: string,
  of: number[],
  now: Date,
): Promise<MoveClaim | null> {
  const times = [now.toISOString(), addMs(now, MOVE_LEASE_MS).toISOString()];
  const [row] = await deps.db.execute<Record<string, unknown>>(statement, [...times, ...of]);
  if (!row) return null;
  return { file: parseFile(row), target: row["is_wanted_public"] === true ? "public" : "private" };
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
export async function recordArrivalAt(
  deps: MoveDeps,
  { file, target }: MoveClaim,
  { etag }: Arrival,
): Promise<boolean> {
  const leaseUntil = addMs(deps.clock(), MOVE_LEASE_MS);
  const { projectId, id } = file;
  return deps.db.run((db) =>
    db.transaction(async (tx) => {
      const [row] = await tx
        .update(files)
        .set({
          place: target,
          publishedEtag: target === "public" ? etag : null,
          moveDueAt: leaseUntil,
          revision: sql`${files.revision} + 1`,
        })
        .where(
          and(
            isFile(file),
            eq(files.moveClaim, file.moveClaim),
            eq(files.place, file.place),
            eq(files.etag, file.etag ?? ""),
            sql`${files.status} in ('stored', 'trashed')`,
            sql`${isWantedPublic} = ${target === "public"}`,
          ),
        )
        .returning({ id: files.id });
      if (!row) return false;
      if (target === "private" && etag !== file.etag) {
        const ifSame = (column: AnyPgColumn) =>
          sql`case when ${column} = ${file.etag} then ${etag} else ${column} end`;
        await tx
          .update(files)
          .set({ etag, scannedEtag: ifSame(files.scannedEtag), imageEtag: ifSame(files.imageEtag) })
          .where(isFile(file));
        await tx
          .update(fileVariants)
          .set({ sourceEtag: etag })
          .where(
            and(
              eq(fileVariants.projectId, projectId),
              eq(fileVariants.fileId, id),
              eq(fileVariants.sourceEtag, file.etag ?? ""),
            ),
          );
      }
      return true;
    }),
  );
}

/**
 * Records that a copy into the public bucket begins, and extends the lease.
 *
 * @returns false if the claim is over, or the file must not be public any more
 */
export async function beginCopy(deps: MoveDeps, { file }: MoveClaim): Promise<boolean> {
  const leaseUntil = addMs(deps.clock(), MOVE_LEASE_MS).toISOString();
  const rows = await deps.db.execute(BEGIN_COPY, [file.projectId, file.id, file.moveClaim, leaseUntil]);
  return rows.length > 0;
}

/** Records that storage has answered: the copy lands no later. What is not known of an older copy stays. */
export async function endCopy(deps: MoveDeps, { file }: MoveClaim): Promise<void> {
  const before = file.publishEndsAt.toISOString();
  await deps.db.execute(END_COPY, [file.projectId, file.id, file.moveClaim, before]);
}

/** Gives the claim of a file that is private again back until no copy can land in the public bucket any more. */
export async function awaitLateCopies(deps: MoveDeps, { file }: MoveClaim): Promise<void> {
  const until = file.publishEndsAt.toISOString();
  await deps.db.execute(RELEASE, [file.projectId, file.id, file.moveClaim, until, false]);
}

/** Ends a move: the other bucket has no object of the file any more. */
export async function endMove(deps: MoveDeps, { file }: MoveClaim): Promise<void> {
  await deps.db.execute(END, [file.projectId, file.id, file.moveClaim]);
}

/** Gives a claim back, because the file changed meanwhile. */
export async function giveMoveBack(deps: MoveDeps, { file }: MoveClaim): Promise<void> {
  await deps.db.execute(RELEASE, [
    file.projectId,
    file.id,
    file.moveClaim,
    deps.clock().toISOString(),
    false,
  ]);
}

/** Gives a claim back after a failure. The pause grows with the failures. There is no last attempt. */
export async function retryMoveLater(deps: MoveDeps, { file, target }: MoveClaim): Promise<void> {
  const longestMs = target === "private" ? MAX_RETRY_OF_TAKING_BACK_MS : MAX_RETRY_MS;
  const pauseMs = Math.min(longestMs, FIRST_RETRY_MS * 2 ** Math.min(file.moveFailures, 20));
  const dueAt = addMs(deps.clock(), pauseMs).toISOString();
  await deps.db.execute(RELEASE, [file.projectId, file.id, file.moveClaim, dueAt, true]);
}

/** Where a file belongs: public files that are stored and not held back by a scan are in the public bucket. */
const IS_WANTED_PUBLIC = "visibility = 'public' and status = 'stored' and scan_status in ('none', 'clean')";
const isWantedPublic = sql.raw(`(${IS_WANTED_PUBLIC})`);

/** The condition of the index files_to_move. So each change of a file counts, whichever code makes it. */
const IS_TO_MOVE = `status not in ('pending', 'expired', 'deleting') and (has_other_copy or (place = 'public') <> (${IS_WANTED_PUBLIC}))`;

/* Without locks, because Citus locks rows only on one shard. */
const FIND_PROJECT = `
select project_id as "projectId" from files
where project_id > $1::bigint and ${IS_TO_MOVE} and move_due_at <= $2::timestamptz
order by project_id, move_due_at limit 1`;

/** `has_other_copy` is set before anything is copied. So the copy is found and removed, also if the file or the process ends then. */
const CLAIM = `
update files set has_other_copy = true, move_due_at = $2::timestamptz, move_claim = move_claim + 1`;
const RETURNING = `
returning ${columnList(files, "files")}, (${IS_WANTED_PUBLIC}) as is_wanted_public`;

/** An array, because PostgreSQL may run a subquery after `in` once for each row, and would then claim several. */
const CLAIM_NEXT = `${CLAIM}
where project_id = $3::bigint and id = any(array(
  select id from files
  where project_id = $3::bigint and ${IS_TO_MOVE} and move_due_at <= $1::timestamptz
  order by move_due_at limit 1 for update skip locked))${RETURNING}`;

const CLAIM_ONE = `${CLAIM}
where project_id = $3::bigint and id = $4::bigint and ${IS_TO_MOVE} and move_due_at <= $1::timestamptz${RETURNING}`;

const OF_CLAIM = "project_id = $1::bigint and id = $2::bigint and move_claim = $3::integer";

const BEGIN_COPY = `
update files set publish_ends_at = greatest(publish_ends_at, $4::timestamptz), move_due_at = $4::timestamptz
where ${OF_CLAIM} and (${IS_WANTED_PUBLIC})
returning id`;

const END_COPY = `update files set publish_ends_at = $4::timestamptz where ${OF_CLAIM} returning id`;

/** The row matches the index again if the file belongs elsewhere by now. Then the next move begins at once, because `move_due_at` is the past. */
const END = `
update files set has_other_copy = false, move_due_at = 'epoch', move_failures = 0
where ${OF_CLAIM}`;

const RELEASE = `
update files set move_due_at = $4::timestamptz, move_failures = case when $5::boolean then move_failures + 1 else 0 end
where ${OF_CLAIM}
returning id`;

const parseFile = createRowParser(files);
