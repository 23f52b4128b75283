import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import type { storageMoves } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";

/** A bucket of each of the two storages, and a path in it. */
export type ObjectPlace = [place: "private" | "public", path: string];

/** A move as its row says. */
export interface MoveRecord {
  from: string;
  to: string;
  state: typeof storageMoves.$inferSelect.state;
  /** For how long it has had this state. */
  ageMs: number;
  stateSince: Date;
  /** Null before `settling`. */
  urlsEndAt: Date | null;
  /** Until the last URL ends; null before `settling`. */
  urlsEndInMs: number | null;
  interrupted: ObjectPlace[];
}

/** The run of a command that works on the move of a project. No two work on one move at the same time. */
export interface MoveRun {
  project: Project;
  /** Its id. */
  runner: string;
  leaseMs: number;
}

/* The times are `statement_timestamp()`: Citus refuses the volatile `clock_timestamp()` in an UPDATE. */

const COLUMNS = `
  from_storage as "from", to_storage as "to", state, state_since as "stateSince", urls_end_at as "urlsEndAt", interrupted,
  extract(epoch from statement_timestamp() - state_since) * 1000 as "ageMs",
  extract(epoch from urls_end_at - statement_timestamp()) * 1000 as "urlsEndInMs"`;

export async function readMove(db: Queries, { id }: Project): Promise<MoveRecord | null> {
  const rows = await db.execute<Row>(`select ${COLUMNS} from storage_moves where project_id = $1::bigint`, [
    id,
  ]);
  return rows[0] ? toRecord(rows[0]) : null;
}

type Row = Record<string, unknown>;

function toRecord(row: Row): MoveRecord {
  const { from, to, state, stateSince, urlsEndAt, interrupted, ageMs, urlsEndInMs } = row;
  return {
    from: from as string,
    to: to as string,
    state: state as MoveRecord["state"],
    ageMs: Number(ageMs),
    stateSince: new Date(stateSince as string),
    urlsEndAt: urlsEndAt === null ? null : new Date(urlsEndAt as string),
    urlsEndInMs: urlsEndInMs === null ? null : Number(urlsEndInMs),
    interrupted: (typeof interrupted === "string" ? JSON.parse(interrupted) : interrupted) as ObjectPlace[],
  };
}

/** Changes nothing if the project moves already. Call it in a transaction that has locked the project. */
export async function insertMove(
  db: Queries,
  { id }: Project,
  { from, to }: Pick<MoveRecord, "from" | "to">,
): Promise<void> {
  await db.execute(
    `insert into storage_moves (project_id, from_storage, to_storage, state, state_since, runner_until)
     values ($1::bigint, $2, $3, 'preparing', statement_timestamp(), statement_timestamp()) on conflict do nothing`,
    [id, from, to],
  );
}

/** @returns false while another run works on the move */
export async function claimMoveRecord(db: Queries, { project, runner, leaseMs }: MoveRun): Promise<boolean> {
  const rows = await db.execute(CLAIM, [project.id, runner, leaseMs]);
  return rows.length > 0;
}

const CLAIM = `
update storage_moves set
  runner = $2, runner_until = statement_timestamp() + make_interval(secs => $3::float8 / 1000),
  interrupted = interrupted || copying, copying = '[]'::jsonb
where project_id = $1::bigint and (runner_until <= statement_timestamp() or runner = $2)
returning project_id`;

const IS_MINE = "project_id = $1::bigint and runner = $2";

/**
 * Keeps the claim of a run.
 *
 * @param copying the objects that it copies from now on. @default those that it named before
 * @throws {StowageError} `unavailable` if the project was deleted, or another run has taken over
 */
export async function keepClaim(
  db: Queries,
  { project, runner, leaseMs }: MoveRun,
  copying?: ObjectPlace[],
): Promise<void> {
  const value = copying === undefined ? null : JSON.stringify(copying);
  await change(db, KEEP, [project.id, runner, leaseMs, value]);
}

const KEEP = `
update storage_moves set
  runner_until = statement_timestamp() + make_interval(secs => $3::float8 / 1000),
  copying = coalesce($4::text::jsonb, copying)
where ${IS_MINE} returning project_id`;

/** Lets the next run begin at once. */
export async function giveClaimBack(db: Queries, { project, runner }: MoveRun): Promise<void> {
  await db.execute(
    `update storage_moves set runner = null, runner_until = statement_timestamp()
     where project_id = $1::bigint and runner = $2 returning project_id`,
    [project.id, runner],
  );
}

/** Every process knows of the move: from now on all is written to the new storage. */
export async function startCopying(db: Queries, { project, runner }: MoveRun): Promise<void> {
  await change(
    db,
    `update storage_moves set state = 'copying', state_since = statement_timestamp()
     where ${IS_MINE} and state = 'preparing' returning project_id`,
    [project.id, runner],
  );
}

/** Moves back: the storages change their parts. */
export async function turnAround(db: Queries, { project, runner }: MoveRun): Promise<void> {
  await change(
    db,
    `update storage_moves set from_storage = to_storage, to_storage = from_storage, state = 'preparing',
       state_since = statement_timestamp(), copying = '[]', interrupted = '[]'
     where ${IS_MINE} and state <> 'settling' returning project_id`,
    [project.id, runner],
  );
}

/** The project belongs to the new storage. Call it in a transaction that has locked the project. */
export async function startSettling(
  db: Queries,
  { project, runner }: MoveRun,
  { to, urlsEndInMs }: { to: string; urlsEndInMs: number },
): Promise<void> {
  await change(
    db,
    `update storage_moves set state = 'settling', state_since = statement_timestamp(), copying = '[]', interrupted = '[]',
       urls_end_at = statement_timestamp() + make_interval(secs => $4::float8 / 1000)
     where ${IS_MINE} and state = 'copying' and to_storage = $3 returning project_id`,
    [project.id, runner, to, urlsEndInMs],
  );
  await change(db, "update projects set storage = $2 where id = $1::bigint returning id", [project.id, to]);
}

export async function deleteMove(db: Queries, { project, runner }: MoveRun): Promise<void> {
  await change(db, `delete from storage_moves where ${IS_MINE} and state = 'settling' returning project_id`, [
    project.id,
    runner,
  ]);
}

/**
 * Runs an UPDATE or DELETE of the project that its first parameter names. Its project is read before, because Citus does not read it in a
 * change of a table of the coordinator.
 *
 * @throws {StowageError} `unavailable` if it changes nothing, or the project was deleted
 */
async function change(
  db: Queries,
  statement: string,
  parameters: [projectId: number, ...(string | number | null)[]],
): Promise<void> {
  const isThere = (await db.execute(IS_THERE, [parameters[0]])).length > 0;
  if (isThere && (await db.execute(statement, parameters)).length > 0) return;
  throw new StowageError("unavailable", {
    detail: "The project was deleted, or another command has taken over its move",
  });
}

const IS_THERE = "select id from projects where id = $1::bigint and deleted_at is null";
