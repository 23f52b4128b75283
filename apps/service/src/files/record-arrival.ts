import { sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files } from "#db/schema/index.js";
import type { StoredObject } from "#object-store/object-store.js";
import { counting } from "#usage/count-files.js";
import { nextLookAt } from "./look-schedule.js";

type FileRow = typeof files.$inferSelect;

/**
 * Records what came for a pending file that is still as it was seen, and counts it. By one statement, since nearly every settle is
 * this one: it takes the locks that a transaction would, in the same order, and holds them for no round trip.
 *
 * @returns false when somebody has changed the file meanwhile; then nothing has happened
 */
export async function recordArrival(
  deps: { db: Queries; clock: () => Date },
  seen: FileRow,
  { sizeBytes, etag }: StoredObject,
): Promise<boolean> {
  const now = deps.clock();
  const lookAt = nextLookAt({ ...seen, status: "stored" }, now);
  const recorded = await deps.db.run((db) =>
    db.execute(sql`
      with arrived as (
        update ${files} set status = 'stored', size = ${sizeBytes}::bigint, etag = ${etag}, reserved_bytes = 0,
          stored_at = coalesce(stored_at, ${now.toISOString()}::timestamptz),
          next_look_at = ${lookAt?.toISOString() ?? null}::timestamptz, revision = revision + 1
        where project_id = ${seen.projectId}::bigint and id = ${seen.id}::bigint and revision = ${seen.revision}::int
          and status = 'pending' and reserved_bytes = ${seen.reservedBytes}::bigint
        returning tenant
      ), ${counting(
        { projectId: seen.projectId, at: now },
        sql`select tenant, 1, ${sizeBytes}::bigint, 0, 0::bigint, ${-seen.reservedBytes}::bigint from arrived`,
      )}`),
  );
  return [...recorded].length === 1;
}
