import type { Queries } from "#db/client.js";

/**
 * Queues the moves of those files whose object is not where it belongs by now. Call it in the transaction of each change of a file that can
 * have this effect: see db/functions/queue_moves.sql.
 */
export const queueMoves = (db: Queries, projectId: number, fileIds: number[], at: Date): Promise<void> =>
  queue(db, QUEUE_MOVES, projectId, fileIds, at);

/** Queues the scans of files, in the transaction that lets them wait for one: see db/functions/queue_scans.sql. */
export const queueScans = (db: Queries, projectId: number, fileIds: number[], at: Date): Promise<void> =>
  queue(db, QUEUE_SCANS, projectId, fileIds, at);

async function queue(db: Queries, statement: string, projectId: number, fileIds: number[], at: Date) {
  if (fileIds.length === 0) return;
  await db.execute(statement, [projectId, `{${fileIds.join(",")}}`, at.toISOString()]);
}

const QUEUE_MOVES = `select queue_moves($1::bigint, $2::text::bigint[], $3::timestamptz)`;
const QUEUE_SCANS = `select queue_scans($1::bigint, $2::text::bigint[], $3::timestamptz)`;
