import { StowageError } from "@stowage/schemas";
import type { ProjectActor } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import { readScanPolicy } from "#projects/scan-policy.js";

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
    const dueAt = deps.clock().toISOString();
    const rows = await deps.db.execute(QUEUE_WINDOW, [project.id, after, last, dueAt, block]);
    queued += rows.length;
    after = last;
  }
  return queued;
}

const READ_NEWEST = `select id from files where project_id = $1::bigint order by id desc limit 1`;

const READ_WINDOW = `
select id from files where project_id = $1::bigint and id > $2::bigint and id <= $3::bigint order by id limit ${WINDOW}`;

/** A newer attempt ends a claim of the same file, so a scan that began before cannot give the new verdict. */
const QUEUE_WINDOW = `
update files set scan_due_at = $4::timestamptz, scan_claim = scan_claim + 1, scan_failures = 0,
  scan_status = case when $5::boolean then 'pending' else scan_status end
where project_id = $1::bigint and id > $2::bigint and id <= $3::bigint and status in ('stored', 'trashed')
  and scan_status in ('clean', 'unscannable')
returning id`;
