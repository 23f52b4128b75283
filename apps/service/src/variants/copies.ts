import type { Queries } from "#db/client.js";
import type { files } from "#db/schema/index.js";
import { MINUTE_MS } from "#lib/time.js";

/* The copies of variants in the public bucket. visibility/move-variants.ts makes and removes them. */

/**
 * If a process that moves a file dies, another one goes on after this time. It is longer than all calls to storage of one move may take together, so no
 * process changes an object after its lease.
 */
export const MOVE_LEASE_MS = 5 * MINUTE_MS;

/**
 * Asks for the copies of variants that became ready after their file was published. Does nothing for a private file.
 *
 * @throws {StowageError} `unavailable`
 */
export async function requestPublication(
  db: Queries,
  { projectId, id }: Pick<typeof files.$inferSelect, "projectId" | "id">,
): Promise<void> {
  await db.execute(REQUEST, [projectId, id]);
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
