import type { Queries } from "#db/client.js";
import type { files } from "#db/schema/index.js";
import type { StoredObject } from "#object-store/object-store.js";
import { CHANGE_COLUMNS, COUNTING, dayOf } from "#files/count-files.js";
import { nextLookAt } from "./look-schedule.js";

/** What came for a file that was pending when it was seen, before storage was asked. */
export interface Arrival {
  seen: typeof files.$inferSelect;
  object: StoredObject;
}

/*
 * Some arrivals in one statement: one round trip and one commit, and locks that no round trip is held for.
 *
 * - `held` locks the files, by id as everybody does who locks several, and leaves out those that are not as they were seen any
 *   more: a new status is a new revision. It looks them up one by one, like the parts of admit-uploads.ts, and for the same reason.
 *   The limit is the number of all, and leaves none out: it has PostgreSQL expect ten of them, where it takes a hundred for granted
 *   and would read a table of some thousand rows whole to find those.
 * - `arrived` stores them. Of two arrivals of one file it takes one; the other does not hold.
 * - `change` is what that does to each tenant, and COUNTING counts it.
 */
const RECORD = `
with asked as (
  select * from json_to_recordset($1::text::json) as asked (
    number int, project_id bigint, id bigint, revision int, size bigint, etag text, next_look_at timestamptz)
), held as (
  select * from (select * from asked order by project_id, id limit $4) asked cross join lateral (
    select tenant, reserved_bytes as reserved from files
    where project_id = asked.project_id and id = asked.id and revision = asked.revision
    for no key update) file
), arrived as (
  update files set status = 'stored', size = held.size, etag = held.etag, reserved_bytes = 0, stored_at = $2::timestamptz,
    next_look_at = held.next_look_at, revision = held.revision + 1
  from held where files.project_id = held.project_id and files.id = held.id
  returning number, files.project_id, held.tenant, held.size, reserved
), change (${CHANGE_COLUMNS}) as (
  select project_id, tenant, $3::date, count(*)::int, sum(size)::bigint, 0, 0::bigint, -sum(reserved)::bigint
  from arrived group by project_id, tenant
), ${COUNTING}
select number from arrived`;

/**
 * Records what came for pending files that are still as they were seen, and counts it.
 *
 * @returns for each, in their order, whether it held: where it did not, somebody has changed the file meanwhile, and nothing has
 * happened
 * @throws {StowageError} `unavailable`
 */
export async function recordArrivals(
  deps: { db: Queries; clock: () => Date },
  arrivals: Arrival[],
): Promise<boolean[]> {
  const now = deps.clock();
  const rows = await deps.db.execute<{ number: number }>(RECORD, [
    JSON.stringify(arrivals.map((arrival, number) => toColumns(arrival, number, now))),
    now.toISOString(),
    dayOf(now),
    arrivals.length,
  ]);
  const held = new Set(rows.map(({ number }) => number));
  return arrivals.map((_, number) => held.has(number));
}

function toColumns({ seen, object }: Arrival, number: number, now: Date) {
  return {
    number,
    project_id: seen.projectId,
    id: seen.id,
    revision: seen.revision,
    size: object.sizeBytes,
    etag: object.etag,
    next_look_at: nextLookAt({ ...seen, status: "stored" }, now),
  };
}
