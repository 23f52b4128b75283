import type { CountLimits } from "@stowage/schemas";
import type { Database, Queries } from "#db/client.js";
import type { files } from "#db/schema/index.js";
import type { BatchingOptions } from "#db/traffic/batches.js";
import type { HeadObject } from "#object-store/object-store.js";
import { groupBy } from "#lib/group-by.js";
import { toUtcDay } from "#lib/time.js";
import { nextCheckAt } from "#files/record/check-schedule.js";

/** A file whose object was found in storage. */
export interface FoundUpload {
  /** The file's row, as it was read before the HEAD request, or as the transaction has locked it. */
  seen: typeof files.$inferSelect;
  object: HeadObject;
  /** The W3C `traceparent` of what found it, for its event. Undefined: it is not traced. */
  traceparent?: string | undefined;
  /** Counts the object also if it does not fit the quota. @default false */
  ignoresQuota?: boolean | undefined;
}

export interface MarkStoredDeps {
  clock: () => Date;
  /** The quota in bytes of tenants without one of their own or of their project; null for none. */
  defaultQuotaBytes: number | null;
  defaultLimits: CountLimits;
}

/**
 * Marks a pending file as stored and counts it, unless its row has changed since it was read, its bytes do not fit the quota, or it
 * replaces another file: that takes a transaction (files/end/replace-old-file.ts).
 *
 * @returns whether the file was marked
 * @throws {StowageError} `unavailable`
 */
export type MarkStored = (upload: FoundUpload) => Promise<boolean>;

/** Marks uploads that are found at the same time in one shared SQL statement with one commit. */
export function createBatchedMarkStored(
  { db, ...deps }: MarkStoredDeps & { db: Pick<Database, "batch"> },
  options: BatchingOptions = {},
): MarkStored {
  const mark = db.batch("upload", {
    ...options,
    run: (queries, uploads: FoundUpload[]) => markUploadsStored({ db: queries, ...deps }, uploads),
  });
  return async (upload) => !upload.seen.isReplacement && (await mark(String(upload.seen.projectId), upload));
}

/**
 * Marks files as stored and counts them, in one SQL statement. `mark_stored` says what that is: it is the only place that gives a file
 * an object. A file that has had bytes needs a transaction that also records their history and removes their variants.
 *
 * @returns for each upload, in the same order, whether it was marked. If not, its row has changed since it was read, or its bytes do not
 * fit the quota, and nothing was written for it
 * @throws {StowageError} `unavailable`
 */
export async function markUploadsStored(
  deps: MarkStoredDeps & { db: Queries },
  uploads: FoundUpload[],
): Promise<boolean[]> {
  const now = deps.clock();
  const byProject = groupBy(uploads.entries(), ([, { seen }]) => seen.projectId);
  const calls = [...byProject]
    .toSorted(([a], [b]) => a - b)
    .map(([projectId, ofProject]) => ({
      project_id: projectId,
      uploads: ofProject.map(([number, upload]) => toColumns(deps, upload, number, now)),
    }));
  const [first] = calls;
  if (!first) return [];
  const rows = await (calls.length === 1
    ? deps.db.execute<{ number: number }>(MARK_STORED, [
        first.project_id,
        JSON.stringify(first.uploads),
        now.toISOString(),
        toUtcDay(now),
      ])
    : deps.db.execute<{ number: number }>(MARK_STORED_OF_PROJECTS, [
        JSON.stringify(calls),
        now.toISOString(),
        toUtcDay(now),
      ]));
  const marked = new Set(rows.map(({ number }) => number));
  return uploads.map((_, number) => marked.has(number));
}

/*
 * One round trip and one commit for the whole batch; no lock is held during a round trip. `mark_stored` is a function in the
 * database (db/functions/mark_stored.sql), because Citus runs a function of one project on the node of that project. If a
 * batch contains one file twice, the second one is not marked.
 */
const MARK_STORED = `
select number from mark_stored($1::bigint, $2::text::json, $3::timestamptz, $4::date) as marked (number)`;

/** Locks are taken project after project, in the order of the projects' ids. */
const MARK_STORED_OF_PROJECTS = `
select number
from (select * from json_to_recordset($1::text::json) as call (project_id bigint, uploads json) order by project_id) call
cross join lateral mark_stored(call.project_id, call.uploads, $2::timestamptz, $3::date) as marked (number)`;

function toColumns(
  { defaultQuotaBytes, defaultLimits }: MarkStoredDeps,
  { seen, object, traceparent, ignoresQuota }: FoundUpload,
  number: number,
  now: Date,
) {
  return {
    number,
    id: seen.id,
    revision: seen.revision,
    size: object.sizeBytes,
    etag: object.etag,
    next_check_at: nextCheckAt({ ...seen, status: "stored", storedAt: seen.storedAt ?? now }, now),
    // Left out of the JSON if they are undefined.
    service_quota: defaultQuotaBytes ?? undefined,
    service_limits: Object.keys(defaultLimits).length === 0 ? undefined : defaultLimits,
    ignores_quota: ignoresQuota,
    traceparent,
  };
}
