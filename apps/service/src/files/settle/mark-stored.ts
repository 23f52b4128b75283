import type { Queries } from "#db/client.js";
import type { files } from "#db/schema/index.js";
import type { StoredObject } from "#object-store/object-store.js";
import { batchCalls } from "#lib/batch-calls.js";
import { toUtcDay } from "#lib/time.js";
import { UPDATE_USAGE, USAGE_CHANGE_COLUMNS } from "#files/usage-counters.js";
import { nextCheckAt } from "./check-schedule.js";

/** A pending file whose object was found in storage. */
export interface FoundUpload {
  /** The file's row, as it was read before the HEAD request. */
  seen: typeof files.$inferSelect;
  object: StoredObject;
}

/**
 * Marks a pending file as stored and counts it, unless its row has changed since it was read.
 *
 * @returns whether the file was marked
 * @throws {StowageError} `unavailable`
 */
export type MarkStored = (upload: FoundUpload) => Promise<boolean>;

/* The same limits as in upload/admit-uploads.ts, for the same reasons. */
const MAX_CONCURRENT_STATEMENTS = 2;
const MAX_BATCH_SIZE = 100;
const MAX_QUEUE_LENGTH = 2000;

/**
 * Marks uploads that are found at the same time in one shared SQL statement with one commit.
 *
 * @param options.timeoutMs how long one call may wait for its answer
 */
export function createBatchedMarkStored(
  deps: { db: Queries; clock: () => Date },
  { timeoutMs }: { timeoutMs: number },
): MarkStored {
  return batchCalls((uploads: FoundUpload[]) => markUploadsStored(deps, uploads), {
    maxConcurrentCalls: MAX_CONCURRENT_STATEMENTS,
    maxBatchSize: MAX_BATCH_SIZE,
    maxQueueLength: MAX_QUEUE_LENGTH,
    timeoutMs,
  });
}

/**
 * Marks pending files as stored and counts them, in one SQL statement.
 *
 * @returns for each upload, in the same order, whether it was marked. If not, its row has changed since it was read, and nothing
 * was written for it
 * @throws {StowageError} `unavailable`
 */
export async function markUploadsStored(
  deps: { db: Queries; clock: () => Date },
  uploads: FoundUpload[],
): Promise<boolean[]> {
  const now = deps.clock();
  const rows = await deps.db.execute<{ number: number }>(MARK_STORED, [
    JSON.stringify(uploads.map((upload, number) => toColumns(upload, number, now))),
    now.toISOString(),
    toUtcDay(now),
    uploads.length,
  ]);
  const marked = new Set(rows.map(({ number }) => number));
  return uploads.map((_, number) => marked.has(number));
}

/*
 * One round trip and one commit for the whole batch; no lock is held during a round trip.
 *
 * - `locked_file` locks the files, in the order of their ids like every statement that locks several. It leaves out rows that have
 *   changed since they were read: every change of status is a new revision. It looks the rows up one by one, as the statement in
 *   upload/admission-statement.ts does. The LIMIT is the number of all rows and leaves none out; it only makes PostgreSQL expect ten
 *   rows. Without it PostgreSQL expects a hundred, and would read a table of some thousand rows completely.
 * - `stored` updates the files. If a batch contains one file twice, the second one is not marked.
 * - `change` is the effect on each tenant's usage, which UPDATE_USAGE writes.
 */
const MARK_STORED = `
with requested as (
  select * from json_to_recordset($1::text::json) as requested (
    number int, project_id bigint, id bigint, revision int, size bigint, etag text, next_look_at timestamptz)
), locked_file as (
  select * from (select * from requested order by project_id, id limit $4) requested cross join lateral (
    select tenant, reserved_bytes as reserved from files
    where project_id = requested.project_id and id = requested.id and revision = requested.revision
    for no key update) file
), stored as (
  update files set status = 'stored', size = found.size, etag = found.etag, reserved_bytes = 0, stored_at = $2::timestamptz,
    next_look_at = found.next_look_at, revision = found.revision + 1
  from locked_file found where files.project_id = found.project_id and files.id = found.id
  returning number, files.project_id, found.tenant, found.size, reserved
), change (${USAGE_CHANGE_COLUMNS}) as (
  select project_id, tenant, $3::date, count(*)::int, sum(size)::bigint, 0, 0::bigint, -sum(reserved)::bigint
  from stored group by project_id, tenant
), ${UPDATE_USAGE}
select number from stored`;

function toColumns({ seen, object }: FoundUpload, number: number, now: Date) {
  return {
    number,
    project_id: seen.projectId,
    id: seen.id,
    revision: seen.revision,
    size: object.sizeBytes,
    etag: object.etag,
    next_look_at: nextCheckAt({ ...seen, status: "stored" }, now),
  };
}
