import { StowageError } from "@stowage/schemas";
import type { ProjectActor } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import { inTransaction, type Queries } from "#db/client.js";
import { queueMoves, queueScans } from "#files/record/file-tasks.js";
import { readScanPolicy } from "#projects/scan-policy.js";
import { COUNTED } from "#db/schema/file-statuses.js";

/** How many rows one statement looks at. */
const WINDOW = 1000;

export interface Rescan {
  /** Whether no file can be downloaded until its new scan has found nothing. Otherwise a file keeps its verdict until it has another one. */
  block: boolean;
}

/**
 * Queues the files of a project that were scanned already, for the workers to scan them again: all in storage or in the trash, except
 * infected ones. Safe to repeat: a call that was cut off in the middle is made again.
 *
 * @returns how many files were queued
 * @throws {StowageError} `invalid_request` if the project does not scan with clamd; `unavailable`
 */
export async function rescanProject(
  deps: { db: Queries; clock: () => Date },
  actor: ProjectActor,
  { block }: Rescan,
): Promise<number> {
  const { project } = actor;
  await auditedTransaction(deps, actor, async (deps) => {
    const { scan } = await readScanPolicy(deps, project.id);
    if (scan !== "clamav") {
      throw new StowageError("invalid_request", {
        detail: "Only files of a project that scans with clamav can be scanned again",
      });
    }
    return {
      result: undefined,
      entry: { action: "project.rescanned", projectId: project.id, details: { block } },
    };
  });
  // Files that are uploaded meanwhile get newer ids and their own scan.
  const [newest] = await deps.db.execute<{ id: number }>(READ_NEWEST, [project.id]);
  const upTo = newest?.id ?? 0;
  let queued = 0;
  for (let after = 0; after < upTo;) {
    const window = await deps.db.execute<{ id: number }>(READ_WINDOW, [project.id, after, upTo]);
    const last = window.at(-1)?.id ?? upTo;
    queued += await queueWindow(deps, project.id, { after, upTo: last }, block);
    after = last;
  }
  return queued;
}

/** A scan that began before cannot give the new verdict, because a claim ends when its file is queued anew. */
function queueWindow(
  deps: { db: Queries; clock: () => Date },
  projectId: number,
  ids: { after: number; upTo: number },
  block: boolean,
): Promise<number> {
  return inTransaction(deps.db, async (db) => {
    const rows = await db.execute<{ id: number }>(block ? BLOCK : LOCK, [projectId, ids.after, ids.upTo]);
    const queued = rows.map(({ id }) => id);
    const now = deps.clock();
    await queueScans(db, projectId, queued, now);
    if (block) await queueMoves(db, projectId, queued, now);
    return queued.length;
  });
}

const READ_NEWEST = `select id from files where project_id = $1::bigint order by id desc limit 1`;

const READ_WINDOW = `
select id from files where project_id = $1::bigint and id > $2::bigint and id <= $3::bigint order by id limit ${WINDOW}`;

const WAS_SCANNED = `
project_id = $1::bigint and id > $2::bigint and id <= $3::bigint and status in ${COUNTED}
  and scan_status in ('clean', 'unscannable')`;

const BLOCK = `update files set scan_status = 'pending' where ${WAS_SCANNED} returning id`;

const LOCK = `select id from files where ${WAS_SCANNED} order by id for no key update`;
