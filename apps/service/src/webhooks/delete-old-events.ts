import type { Queries } from "#db/client.js";
import { groupBy } from "#lib/group-by.js";
import { addMs, DAY_MS, HOUR_MS } from "#lib/time.js";

/** How long events, their deliveries and the log of tries are kept. */
const RETENTION_MS = 30 * DAY_MS;
const BATCH_SIZE = 5000;
/** The log of a project stops if no reader has asked for so long. The time of a read is written once an hour, so all cursors are too old by then. */
const LOG_STOPS_AFTER_MS = RETENTION_MS + DAY_MS;
/** An endpoint goes after its last event, although the clocks of replicas differ: its deliveries are found by its row. */
const ENDPOINT_RETENTION_MS = RETENTION_MS + HOUR_MS;

/**
 * Deletes the events of more than 30 days ago with their deliveries and the log of these, one batch per call. It also deletes deliveries
 * that are still waiting, for example because WEBHOOKS was off all the time. Then it deletes the rows of endpoints that operators deleted
 * before that time, and stops the logs without readers.
 *
 * @returns whether there may be more to delete
 * @throws {StowageError} `unavailable`
 */
export async function deleteOldEvents(deps: { db: Queries; clock: () => Date }): Promise<boolean> {
  const now = deps.clock();
  const before = addMs(now, -RETENTION_MS).toISOString();
  const old = await deps.db.execute<{ projectId: number; id: string }>(FIND_OLD, [before]);
  for (const [projectId, events] of groupBy(old, ({ projectId }) => projectId)) {
    const ids = JSON.stringify(events.map(({ id }) => id));
    // First, so that a reader learns that it missed them.
    await deps.db.execute(SET_DELETED_TO, [projectId, ids]);
    await deleteEvents(deps.db, projectId, ids);
  }
  if (old.length === BATCH_SIZE) return true;
  await deps.db.execute(DELETE_ENDPOINTS, [addMs(now, -ENDPOINT_RETENTION_MS).toISOString()]);
  await deps.db.execute(STOP_LOGS, [addMs(now, -LOG_STOPS_AFTER_MS).toISOString()]);
  return false;
}

/**
 * Deletes events with their deliveries and the log of these.
 *
 * @param ids a JSON array of `webhook_events.id`
 * @throws {StowageError} `unavailable`
 */
export async function deleteEvents(db: Queries, projectId: number, ids: string): Promise<void> {
  // The events last: a run that is interrupted finds them again.
  for (const statement of [DELETE_ATTEMPTS, DELETE_DELIVERIES, DELETE_EVENTS])
    await db.execute(statement, [projectId, ids]);
}

const FIND_OLD = `
select project_id as "projectId", id from webhook_events where at <= $1::timestamptz order by at limit ${BATCH_SIZE}`;

/* One project in each statement, because Citus deletes chosen rows only on one shard. */
const IDS = `(select value::uuid from json_array_elements_text($2::text::json))`;
const ofEndpoints = (table: string) => `
delete from ${table} where project_id = $1::bigint
  and endpoint in (select id from webhook_endpoints where project_id = $1::bigint) and event in ${IDS}`;
const DELETE_ATTEMPTS = ofEndpoints("webhook_attempts");
const DELETE_DELIVERIES = ofEndpoints("webhook_deliveries");
const DELETE_EVENTS = `delete from webhook_events where project_id = $1::bigint and id in ${IDS}`;
const SET_DELETED_TO = `
update event_logs l set deleted_to = greatest(l.deleted_to, (
  select max(e.position) from webhook_events e where e.project_id = $1::bigint and e.id in ${IDS}))
where l.project_id = $1::bigint`;
/* A reader that comes back learns that it missed events: the position after the newest one counts as deleted. */
const STOP_LOGS = `
update event_logs set read_at = null, backfill_step = null, last_position = last_position + 1, deleted_to = last_position + 1
where read_at <= $1::timestamptz`;
const DELETE_ENDPOINTS = `delete from webhook_endpoints where deleted_at <= $1::timestamptz`;
