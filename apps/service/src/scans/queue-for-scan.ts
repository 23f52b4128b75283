import { inTransaction, type Queries } from "#db/client.js";
import type { files } from "#db/schema/index.js";
import { queueMoves, queueScans } from "#files/record/file-tasks.js";
import type { WorkTurn } from "#work/work-queue.js";
import { COUNTED } from "#db/schema/file-statuses.js";

interface QueueDeps {
  db: Queries;
  clock: () => Date;
}

/** How many rows one step of {@link queueStoredFiles} looks at. */
const WINDOW = 1000;

/**
 * Marks files that were stored before their project started to scan, or changed who scans. One call looks at one window of files of
 * one project, and the next call at another project's, so a project with a million files delays no other one by more than one window.
 * Until a file is marked, no download hands it out: see require-clean.ts.
 *
 * @returns whether there is more to do
 * @throws {StowageError} `unavailable`
 */
export async function queueStoredFiles(deps: QueueDeps, turn: WorkTurn): Promise<boolean> {
  const find = async (after: number) => (await deps.db.execute<QueuedProject>(FIND_PROJECT, [after]))[0];
  const project = (await find(turn.afterProject)) ?? (await find(0));
  turn.afterProject = project?.id ?? 0;
  if (!project) return false;
  const { id, upTo, scan } = project;
  if (scan !== "off") {
    const window = await deps.db.execute<{ id: number }>(READ_WINDOW, [id, upTo]);
    const last = window.at(-1);
    if (last) {
      await mark(deps, id, { after: upTo, upTo: last.id }, scan === "clamav");
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
  const [file] = await deps.db.execute(FIND_UNMARKED, [projectId, id - 1, id, true]);
  if (file) await mark(deps, projectId, { after: id - 1, upTo: id }, true);
}

function mark(
  deps: QueueDeps,
  projectId: number,
  ids: { after: number; upTo: number },
  scansHere: boolean,
): Promise<void> {
  return inTransaction(deps.db, async (db) => {
    const rows = await db.execute<{ id: number }>(MARK, [projectId, ids.after, ids.upTo, scansHere]);
    const marked = rows.map(({ id }) => id);
    const now = deps.clock();
    await queueScans(db, projectId, marked, now);
    // A public file is taken back until it is scanned.
    await queueMoves(db, projectId, marked, now);
  });
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

/** Files that were stored in the meantime are pending already. They are only queued, or not any more, if another scanner is responsible now. */
const IS_UNMARKED = `
files.project_id = $1::bigint and files.id > $2::bigint and files.id <= $3::bigint and files.status in ${COUNTED}
  and (files.scan_status = 'none' or files.scan_status = 'pending' and $4::boolean <> exists (
    select from file_tasks t
    where t.project_id = files.project_id and t.project_id = $1::bigint and t.file_id = files.id and t.kind = 'scan'))`;

const FIND_UNMARKED = `select files.id from files where ${IS_UNMARKED}`;

const MARK = `update files set scan_status = 'pending' where ${IS_UNMARKED} returning files.id`;

/** Unless the setting has changed again in the meantime, which starts anew. */
const MOVE = `
update projects set scan_queued_up_to = $3::bigint 
where id = $1::bigint and scan_queued_up_to = $2::bigint and scan = $4::scan_setting`;
