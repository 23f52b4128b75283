import { sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";

const EVENTS_AT_ONCE = 5000;

/**
 * Takes away histories of files that were deleted long ago.
 *
 * @returns whether there may be more
 * @throws {StowageError} `unavailable`
 */
export async function forgetEvents(deps: { db: Queries; clock: () => Date }): Promise<boolean> {
  const forgotten = await deps.db.run((db) =>
    db.execute(sql`
      delete from file_events where (project_id, file_id, id) in (
        select project_id, file_id, id from file_events
        where forget_at <= ${deps.clock().toISOString()}::timestamptz order by forget_at limit ${EVENTS_AT_ONCE})`),
  );
  return forgotten.count === EVENTS_AT_ONCE;
}
