import { inTransaction, type Queries } from "#db/client.js";
import type { files } from "#db/schema/index.js";
import { queueMoves } from "#files/record/file-tasks.js";
import { workKinds } from "#work/work-kinds.js";

/* The copies of variants in the public bucket. visibility/move-variants.ts makes and removes them. */

/** After this time, a process that moves a file has ended, or another one continues. */
export const MOVE_LEASE_MS = workKinds.moves.leaseMs;

/**
 * Asks for the copies of variants that became ready after their file was published. Does nothing for a private file. A read first would not do:
 * only the UPDATE waits for a transaction that is publishing the file.
 *
 * @throws {StowageError} `unavailable`
 */
export async function requestPublication(
  deps: { db: Queries; clock: () => Date },
  { projectId, id }: Pick<typeof files.$inferSelect, "projectId" | "id">,
): Promise<void> {
  await inTransaction(deps.db, async (db) => {
    const rows = await db.execute(REQUEST, [projectId, id]);
    if (rows.length > 0) await queueMoves(db, projectId, [id], deps.clock());
  });
}

const REQUEST = `
update files set has_other_copy = true
where project_id = $1::bigint and id = $2::bigint and place = 'public' and visibility = 'public' and not has_other_copy
returning id`;

/** Finds the paths of the variants of a file that the public bucket may have. */
export async function findCopies(
  { db }: { db: Queries },
  { projectId, id }: Pick<typeof files.$inferSelect, "projectId" | "id">,
): Promise<string[]> {
  const copied = await db.execute<{ path: string }>(FIND_COPIED, [projectId, id]);
  return copied.map(({ path }) => path);
}

const FIND_COPIED = `
select path from file_variants where project_id = $1::bigint and file_id = $2::bigint and publication <> 'none'`;
