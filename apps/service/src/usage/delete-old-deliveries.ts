import type { Queries } from "#db/client.js";
import { addMs, DAY_MS, toUtcDay } from "#lib/time.js";

/** Imports of access logs know what earlier ones have counted for this long. So they count no older downloads. */
export const COUNTED_DAYS = 90;

/** Rows that a statement deletes. */
const DELETE_BATCH_SIZE = 5000;
/** A machine whose clock is behind still counts days that are over for others. */
const SPARE_DAYS = 2;

/**
 * Deletes what imports have counted for days of which no import counts any more. The meters stay.
 *
 * @returns whether there is more to delete
 * @throws {StowageError} `unavailable`
 */
export async function deleteOldDeliveries({
  db,
  clock,
}: {
  db: Queries;
  clock: () => Date;
}): Promise<boolean> {
  const before = toUtcDay(addMs(clock(), -(COUNTED_DAYS + SPARE_DAYS) * DAY_MS));
  const projects = await db.execute<{ id: number }>(FIND_OLD, [before]);
  let hasMore = false;
  for (const { id } of projects) {
    const deleted = await db.execute(DELETE_OLD, [id, before]);
    hasMore ||= deleted.length === DELETE_BATCH_SIZE;
  }
  return hasMore;
}

const FIND_OLD = `select distinct project_id as id from log_deliveries where day < $1::date`;

/** Of one project, because Citus deletes chosen rows only on one shard. */
const DELETE_OLD = `
delete from log_deliveries
where project_id = $1::bigint and ctid = any(array(
  select ctid from log_deliveries where project_id = $1::bigint and day < $2::date limit ${DELETE_BATCH_SIZE}))
returning day`;
