import { type FileStatus, StowageError } from "@stowage/schemas";
import type { Database } from "#db/client.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { addMs } from "#lib/time.js";
import { checkTombstone, type CheckTombstoneDeps } from "#files/delete/check-tombstone.js";
import { removeObject } from "#files/delete/remove-objects.js";
import { settleUpload, type SettleUploadDeps } from "./settle-upload.js";

export type SweepDeps = SettleUploadDeps &
  CheckTombstoneDeps & {
    /** Called when a single file cannot be settled. The other files are still settled. */
    onError: (error: unknown) => void;
  };

/** How many rows of each table one sweep claims. */
const BATCH_SIZE = 200;
const MAX_CONCURRENT_CHECKS = 16;
/** How long a claimed row belongs to one replica. If that replica dies, another one checks the row after this time. */
const LEASE_MS = 10_000;

interface Claimed {
  projectId: number;
  path: string;
}

/**
 * Checks storage for every file and tombstone whose next check is due, in one batch. This finds all changes without any message
 * from outside. Completion calls and storage events only make the service find them sooner.
 *
 * @returns whether the batch was full, so that more rows may be due
 * @throws {StowageError} `unavailable`; claimed rows are checked again after their lease
 */
export async function sweepUploads(deps: SweepDeps): Promise<boolean> {
  const files = await claimDue<Claimed & { status: FileStatus }>(deps, CLAIM_FILES);
  await checkEach(deps, files, async ({ projectId, path, status }) => {
    const outcome = status === "deleting" ? "removing" : await settleUpload(deps, projectId, path);
    if (outcome === "removing") await removeObject(deps, projectId, path);
  });
  const tombstones = await claimDue<Claimed>(deps, CLAIM_TOMBSTONES);
  await checkEach(deps, tombstones, ({ projectId, path }) => checkTombstone(deps, projectId, path));
  return files.length === BATCH_SIZE || tombstones.length === BATCH_SIZE;
}

/*
 * Each replica claims rows that no other replica is claiming. The claim is a short separate statement, so no lock is held during
 * the request to storage. The check that follows writes the real time of the next check.
 */
const claim = (table: "files" | "tombstones", key: string, returning: string) => `
with due as (
  select project_id, ${key} from ${table}
  where next_look_at <= $1::timestamptz
  order by next_look_at limit ${BATCH_SIZE} for update skip locked
)
update ${table} set next_look_at = $2::timestamptz from due
where ${table}.project_id = due.project_id and ${table}.${key} = due.${key}
returning ${table}.project_id as "projectId", ${table}.path as "path"${returning}`;
const CLAIM_FILES = claim("files", "id", `, files.status as "status"`);
const CLAIM_TOMBSTONES = claim("tombstones", "path", "");

function claimDue<Row extends Claimed>(
  deps: { db: Database; clock: () => Date },
  statement: string,
): Promise<Row[]> {
  const now = deps.clock();
  return deps.db.execute<Row>(statement, [now.toISOString(), addMs(now, LEASE_MS).toISOString()]);
}

/** Stops if storage or the database is unavailable. Any other error concerns one file and does not stop the others. */
function checkEach<Row>(deps: SweepDeps, rows: Row[], check: (row: Row) => Promise<unknown>): Promise<void> {
  return forEachBounded(rows, MAX_CONCURRENT_CHECKS, async (row) => {
    try {
      await check(row);
    } catch (error) {
      if (error instanceof StowageError && error.code === "unavailable") throw error;
      deps.onError(error);
    }
  });
}
