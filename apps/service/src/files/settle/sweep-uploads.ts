import { type FileStatus, StowageError } from "@stowage/schemas";
import type { Database } from "#db/client.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { keepEmpty, type KeepEmptyDeps } from "#files/delete/keep-empty.js";
import { removeObject } from "#files/delete/remove-object.js";
import { settleUpload, type SettleUploadDeps } from "./settle-upload.js";

export type SweepDeps = SettleUploadDeps &
  KeepEmptyDeps & {
    /** Told of a file that cannot be settled for a reason of its own; the others go on. */
    onError: (error: unknown) => void;
  };

/** How many rows one sweep takes of each table, and how many looks into storage are under way at once. */
const BATCH = 200;
const LOOKS_AT_ONCE = 16;
/** A row that was claimed is left alone for so long: a replica that dies holding it only delays its look. */
const LEASE_MS = 10_000;

interface Claimed {
  projectId: number;
  path: string;
}

/*
 * Each replica takes rows that no other one is taking. The claim is a short statement of its own, so no lock is held while
 * storage is asked; whoever looks then writes the time of the next look.
 */
const claim = (table: "files" | "tombstones", key: string, returning: string) => `
with due as (
  select project_id, ${key} from ${table}
  where next_look_at <= $1::timestamptz
  order by next_look_at limit ${BATCH} for update skip locked
)
update ${table} set next_look_at = $2::timestamptz from due
where ${table}.project_id = due.project_id and ${table}.${key} = due.${key}
returning ${table}.project_id as "projectId", ${table}.path as "path"${returning}`;
const CLAIM_FILES = claim("files", "id", `, files.status as "status"`);
const CLAIM_TOMBSTONES = claim("tombstones", "path", "");

/**
 * Looks into storage for every file and tombstone whose time has come, in one batch. What it does does not depend on anybody
 * having told us anything: completion calls and events only make it happen sooner.
 *
 * @returns whether there was a full batch, so that more may be waiting
 * @throws {StowageError} `unavailable`; what was claimed is looked at again after its lease
 */
export async function sweepUploads(deps: SweepDeps): Promise<boolean> {
  const files = await claimDue<Claimed & { status: FileStatus }>(deps, CLAIM_FILES);
  await lookAtEach(deps, files, async ({ projectId, path, status }) => {
    const outcome = status === "deleting" ? "removing" : await settleUpload(deps, projectId, path);
    if (outcome === "removing") await removeObject(deps, projectId, path);
  });
  const tombstones = await claimDue<Claimed>(deps, CLAIM_TOMBSTONES);
  await lookAtEach(deps, tombstones, ({ projectId, path }) => keepEmpty(deps, projectId, path));
  return files.length === BATCH || tombstones.length === BATCH;
}

function claimDue<Row extends Claimed>(
  deps: { db: Database; clock: () => Date },
  statement: string,
): Promise<Row[]> {
  const now = deps.clock();
  const leaseEnds = new Date(now.getTime() + LEASE_MS);
  return deps.db.execute<Row>(statement, [now.toISOString(), leaseEnds.toISOString()]);
}

/** Stops when storage or the database is away; a file that fails for a reason of its own does not hold up the others. */
function lookAtEach<Row>(deps: SweepDeps, rows: Row[], look: (row: Row) => Promise<unknown>): Promise<void> {
  return forEachBounded(rows, LOOKS_AT_ONCE, async (row) => {
    try {
      await look(row);
    } catch (error) {
      if (error instanceof StowageError && error.code === "unavailable") throw error;
      deps.onError(error);
    }
  });
}
