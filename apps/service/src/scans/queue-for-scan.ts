import type { Queries } from "#db/client.js";
import type { files } from "#db/schema/index.js";

interface QueueDeps {
  db: Queries;
  clock: () => Date;
}

/** How many rows one step of {@link queueStoredFiles} looks at. */
const WINDOW = 1000;

/** Where the job is among the projects. */
export interface QueueTurn {
  afterProject: number;
}

/**
 * Marks files that were stored before their project started to scan, or changed who scans. One call looks at one window of files of
 * one project, and the next call at another project's, so a project with a million files delays no other one by more than one window.
 * Until a file is marked, no download hands it out: see require-clean.ts.
 *
 * @returns whether there is more to do
 * @throws {StowageError} `unavailable`
 */
export async function queueStoredFiles(deps: QueueDeps, turn: QueueTurn): Promise<boolean> {
  const find = async (after: number) => (await deps.db.execute<QueuedProject>(FIND_PROJECT, [after]))[0];
  const project = (await find(turn.afterProject)) ?? (await find(0));
  turn.afterProject = project?.id ?? 0;
  if (!project) return false;
  const { id, upTo, scan } = project;
  if (scan !== "off") {
    const dueAt = scan === "clamav" ? deps.clock().toISOString() : null;
    const window = await deps.db.execute<{ id: number }>(READ_WINDOW, [id, upTo]);
    const last = window.at(-1);
    if (last) {
      await deps.db.execute(MARK_WINDOW, [id, upTo, last.id, dueAt]);
      await deps.db.execute(MOVE, [id, upTo, last.id, scan]);
      return true;
    }
  }
  await deps.db.execute(MOVE, [id, upTo, null, scan]);
  return true;
}

/** The same for one file, before its download is refused. A later call changes nothing. @throws {StowageError} `unavailable` */
export async function queueForScan(
  deps: QueueDeps,
  { projectId, id }: Pick<typeof files.$inferSelect, "projectId" | "id">,
): Promise<void> {
  await deps.db.execute(MARK_WINDOW, [projectId, id - 1, id, deps.clock().toISOString()]);
}

interface QueuedProject {
  id: number;
  upTo: number;
  scan: string;
}

const FIND_PROJECT = `
select id, scan_queued_up_to as "upTo", scan from projects
where scan_queued_up_to is not null and id > $1::bigint order by id limit 1`;

const READ_WINDOW = `
select id from files where project_id = $1::bigint and id > $2::bigint order by id limit ${WINDOW}`;

/** Files that were stored in the meantime are pending already. They only need the time if another scanner is responsible now. */
const MARK_WINDOW = `
update files set scan_status = 'pending', scan_due_at = $4::timestamptz, scan_claim = scan_claim + 1, scan_failures = 0
where project_id = $1::bigint and id > $2::bigint and id <= $3::bigint and status in ('stored', 'trashed')
  and (scan_status = 'none' or scan_status = 'pending' and (scan_due_at is null) <> ($4::timestamptz is null))`;

/** Unless the setting has changed again in the meantime, which starts anew. */
const MOVE = `
update projects set scan_queued_up_to = $3::bigint 
where id = $1::bigint and scan_queued_up_to = $2::bigint and scan = $4::scan_setting`;
