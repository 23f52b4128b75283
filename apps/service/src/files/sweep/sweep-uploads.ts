import { type FileStatus, StowageError } from "@stowage/schemas";
import { isPurgeFailure } from "#cdn/cdn.js";
import { SWEEPS_PARTS, SWEEPS_UPLOADS } from "#db/schema/conditions.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { groupBy } from "#lib/group-by.js";
import { takeShares } from "#lib/take-shares.js";
import { addMs } from "#lib/time.js";
import type { StorageScope } from "#projects/storages.js";
import { checkTombstone, type CheckTombstoneDeps } from "#files/delete/check-tombstone.js";
import { removeObject } from "#files/delete/remove-objects.js";
import { PartsRemainError } from "#files/parts/abort-uploads.js";
import { checkParts, type CheckPartsDeps } from "#files/settle/check-parts.js";
import { type SettleOutcome, settleUpload, type SettleUploadDeps } from "#files/settle/settle-upload.js";

export type SweepDeps = SettleUploadDeps &
  CheckTombstoneDeps &
  CheckPartsDeps & {
    scope?: StorageScope | undefined;
    /** Called when a single file cannot be settled. The other files are still settled. */
    onError: (error: unknown) => void;
  };

/** How many rows of each table one sweep claims. */
const BATCH_SIZE = 200;
/** How many uploads by parts of one project. If storage needs half a minute to complete each, other projects wait for a minute. */
const MAX_PARTS_PER_PROJECT = 32;
/** How many due uploads by parts one sweep reads. More than it claims, so that it finds other projects behind a busy one. */
const PARTS_READ = 1000;
const MAX_CONCURRENT_CLAIMS = 4;
const MAX_CONCURRENT_CHECKS = 16;
/** How long a claimed row belongs to one replica. If that replica dies, another one checks the row after this time. */
const LEASE_MS = 10_000;
/** Storage may take long to complete an upload. */
const LEASE_OF_PARTS_MS = 60_000;
/** After this time the service asks the CDN again to purge a path that it refused to purge. */
const PURGE_PAUSE_MS = 60_000;

interface Claimed {
  projectId: number;
  path: string;
}

type ClaimedFile = Claimed & { status: FileStatus };

/**
 * Checks storage for every file and tombstone whose next check is due, in one batch. This finds all changes without any message
 * from outside. Completion calls and storage events only make the service find them sooner.
 *
 * @returns whether the batch was full, so that more rows may be due
 * @throws {StowageError} `unavailable`; claimed rows are checked again after their lease
 */
export async function sweepUploads(deps: SweepDeps): Promise<boolean> {
  const files = await claimDue<ClaimedFile>(deps, fileClaim, LEASE_MS);
  await checkFiles(deps, files.claimed, settleUpload);
  const tombstones = await claimDue<Claimed>(deps, tombstoneClaim, LEASE_MS);
  await checkEach(deps, "tombstones", tombstones.claimed, ({ projectId, path }) =>
    checkTombstone(deps, projectId, path),
  );
  return files.isFull || tombstones.isFull;
}

/**
 * The same for files that are uploaded by parts. It is a separate job, because one check may wait half a minute for storage to
 * complete an upload, and other files must not wait for that.
 *
 * @throws {StowageError} `unavailable`; claimed rows are checked again after their lease
 */
export async function sweepParts(deps: SweepDeps): Promise<boolean> {
  const { claimed, isFull } = await claimDue<ClaimedFile>(deps, partsClaim, LEASE_OF_PARTS_MS);
  await checkFiles(deps, claimed, checkParts);
  return isFull;
}

/** Removals come last, because they may have to wait for the CDN. */
async function checkFiles(
  deps: SweepDeps,
  files: ClaimedFile[],
  check: (deps: SweepDeps, projectId: number, path: string) => Promise<SettleOutcome>,
): Promise<void> {
  const removals: Claimed[] = files.filter(({ status }) => status === "deleting");
  const others = files.filter(({ status }) => status !== "deleting");
  await checkEach(deps, "files", others, async (file) => {
    const outcome = await check(deps, file.projectId, file.path);
    if (outcome === "removing") removals.push(file);
  });
  await checkEach(deps, "files", removals, ({ projectId, path }) => removeObject(deps, projectId, path));
}

/*
 * The due rows of all projects are found without locks, and then claimed with one statement for each project: Citus locks rows only
 * on one shard. Each replica claims rows that no other replica is claiming. The claims are short separate statements, so no lock is
 * held during the request to storage. The check that follows writes the real time of the next check.
 */
const claimOf = (
  table: "files" | "tombstones",
  columns: string,
  { condition = "true", rowsRead = BATCH_SIZE, maxPerProject = BATCH_SIZE } = {},
) => ({
  rowsRead,
  maxPerProject,
  find: (scope: StorageScope | undefined) => `
select project_id as "projectId", path from ${table}
where next_check_at <= $1::timestamptz and ${condition}${scope ? ` and ${scope.condition(`${table}.project_id`)}` : ""}
order by next_check_at limit ${rowsRead}`,
  claim: `
update ${table} set next_check_at = $4::timestamptz
where project_id = $1::bigint and path in (
  select path from ${table}
  where project_id = $1::bigint and path in (select value from json_array_elements_text($2::text::json))
    and next_check_at <= $3::timestamptz
  for update skip locked)
returning ${columns}`,
});
const FILE_COLUMNS = `project_id as "projectId", path, status`;
const fileClaim = claimOf("files", FILE_COLUMNS, { condition: SWEEPS_UPLOADS });
const partsClaim = claimOf("files", FILE_COLUMNS, {
  condition: SWEEPS_PARTS,
  rowsRead: PARTS_READ,
  maxPerProject: MAX_PARTS_PER_PROJECT,
});
const tombstoneClaim = claimOf("tombstones", `project_id as "projectId", path`);

async function claimDue<Row extends Claimed>(
  deps: Pick<SweepDeps, "db" | "clock" | "scope">,
  { find, claim, rowsRead, maxPerProject }: ReturnType<typeof claimOf>,
  leaseMs: number,
): Promise<{ claimed: Row[]; isFull: boolean }> {
  const now = deps.clock();
  const [at, leaseUntil] = [now.toISOString(), addMs(now, leaseMs).toISOString()];
  const due = await deps.db.execute<Claimed>(find(deps.scope), [at]);
  const claimed: Row[] = [];
  const batch = takeShares(due, maxPerProject, ({ projectId }) => projectId).slice(0, BATCH_SIZE);
  const byProject = groupBy(batch, ({ projectId }) => projectId);
  await forEachBounded(byProject, MAX_CONCURRENT_CLAIMS, async ([projectId, rows]) => {
    const paths = JSON.stringify(rows.map(({ path }) => path));
    claimed.push(...(await deps.db.execute<Row>(claim, [projectId, paths, at, leaseUntil])));
  });
  return { claimed, isFull: batch.length < due.length || due.length === rowsRead };
}

/** Stops if storage or the database is unavailable. Any other error concerns one file and does not stop the others. */
function checkEach<Row extends Claimed>(
  deps: SweepDeps,
  table: SweptTable,
  rows: Row[],
  check: (row: Row) => Promise<unknown>,
): Promise<void> {
  let cdnFails = false;
  return forEachBounded(rows, MAX_CONCURRENT_CHECKS, async (row) => {
    // Each would wait for the CDN's time limit. They are checked again after their lease.
    if (cdnFails) return;
    try {
      await check(row);
    } catch (error) {
      if (isPurgeFailure(error)) {
        cdnFails = true;
        await postpone(deps, table, row);
      } else if (isOutage(error)) throw error;
      // Too many settles of this project are waiting. The row is checked again after its lease.
      if (error instanceof StowageError && error.code === "too_many_requests") return;
      deps.onError(error);
    }
  });
}

/** So that the next sweep reaches other rows. */
async function postpone(deps: SweepDeps, table: SweptTable, { projectId, path }: Claimed): Promise<void> {
  const until = addMs(deps.clock(), PURGE_PAUSE_MS).toISOString();
  await deps.db.execute(POSTPONE[table], [projectId, path, until]);
}

type SweptTable = keyof typeof POSTPONE;
const postponeOf = (table: string) =>
  `update ${table} set next_check_at = $3::timestamptz where project_id = $1::bigint and path = $2`;
const POSTPONE = { files: postponeOf("files"), tombstones: postponeOf("tombstones") };

function isOutage(error: unknown): boolean {
  const isUnavailable = error instanceof StowageError && error.code === "unavailable";
  return isUnavailable && !(error.cause instanceof PartsRemainError);
}
