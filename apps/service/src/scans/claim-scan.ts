import type { Visibility } from "@stowage/schemas";
import type { ScanSetting } from "@stowage/operator-schemas";
import { workKinds } from "#work/work-kinds.js";
import { createWorkQueue, type WorkClaim, type WorkDeps, type WorkTurn } from "#work/work-queue.js";
import { COUNTED } from "#db/schema/file-statuses.js";

interface Columns {
  path: string;
  etag: string;
  place: Visibility;
  publishedEtag: string | null;
  size: number;
}

/** A file that one worker scans. Its key is `files.id`. */
export type ScanClaim = WorkClaim & Columns;

const queue = createWorkQueue<Columns>(workKinds.scans);
export const { renew: renewClaim, retryLater, giveBack } = queue;

/** A living worker renews its claim. */
export const RENEW_INTERVAL_MS = workKinds.scans.leaseMs / 3;
const UNQUEUE_BATCH = 1000;

/**
 * Claims files of one project that wait for their scan.
 *
 * @param most how many at most; less if they are large
 * @returns an empty list if no file is due
 * @throws {StowageError} `unavailable`
 */
export function claimScans(deps: WorkDeps, turn: WorkTurn, most: number): Promise<ScanClaim[]> {
  const unqueue = (statement: string, projectId: number) =>
    deps.db.execute(statement, [projectId, deps.clock().toISOString()]);
  return queue.claimBatch(deps, turn, most, {
    mayClaim: async (projectId) => {
      const [project] = await deps.db.execute<{ scan: ScanSetting }>(READ_PROJECT, [projectId]);
      if (project?.scan === "clamav") return true;
      // The project has changed its setting since the files were queued.
      await unqueue(UNQUEUE, projectId);
      return false;
    },
    onNone: async (projectId) => void (await unqueue(UNQUEUE_OTHERS, projectId)),
  });
}

const READ_PROJECT = `
select case when deleted_at is null then scan::text else 'off' end as scan from projects where id = $1::bigint`;

const UNQUEUE = `
delete from file_tasks
where project_id = $1::bigint and kind = 'scan' and file_id = any(array(
  select t.file_id from file_tasks t
  where t.project_id = $1::bigint and t.kind = 'scan' and t.due_at <= $2::timestamptz
  limit ${UNQUEUE_BATCH} for update skip locked))`;

/** Files that have no object any more. If they get one, they are queued again. */
const UNQUEUE_OTHERS = `
delete from file_tasks
where project_id = $1::bigint and kind = 'scan' and file_id = any(array(
  select t.file_id from file_tasks t join files f on f.project_id = t.project_id and f.id = t.file_id
  where t.project_id = $1::bigint and t.kind = 'scan' and t.due_at <= $2::timestamptz
    and f.status not in ${COUNTED}
  limit ${UNQUEUE_BATCH} for update of t skip locked))`;
