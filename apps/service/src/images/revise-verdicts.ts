import type { Queries } from "#db/client.js";
import { IS_VARIANT_TO_REVISE } from "#db/schema/conditions.js";

/*
 * Versions before 1.0 recorded each end of a variant as `failed` without a `failure`: also that a decoder was killed, or that the machine
 * was busy. Workers are upgraded last, so such rows also appear after the migration. All of them are looked at again here.
 * Remove this in the version after the next one.
 */

/** What the older versions wrote only for files that are no images. They wrote many messages for the rest, and a true verdict is found again. */
const IMPOSSIBLE = `reason in ('not an image', 'not the image that its first bytes announce', 'the file is too large')`;

/** `$2`: ISO time. */
const REVISE = `
update file_variants set
  failure = case when ${IMPOSSIBLE} then 'image'::variant_failure end,
  status = case when ${IMPOSSIBLE} then status else 'waiting' end,
  due_at = case when ${IMPOSSIBLE} then null else $2::timestamptz end,
  reason = case when ${IMPOSSIBLE} then reason end,
  failures = case when ${IMPOSSIBLE} then failures else 0 end
where project_id = $1::bigint and ${IS_VARIANT_TO_REVISE}`;

/** Takes back the verdict of one variant, unless it is a true one. @throws {StowageError} `unavailable` */
export async function reviseVerdict(
  db: Queries,
  path: string,
  { projectId, at }: { projectId: number; at: Date },
): Promise<void> {
  await db.execute(`${REVISE} and path = $3`, [projectId, at.toISOString(), path]);
}

const ROWS_PER_STATEMENT = 1000;

/**
 * Takes back verdicts of older versions, in one batch. Several workers may do this at the same time.
 *
 * @returns whether there may be more
 * @throws {StowageError} `unavailable`
 */
export async function reviseVerdicts(deps: { db: Queries; clock: () => Date }): Promise<boolean> {
  const [found] = await deps.db.execute<{ projectId: number }>(FIND_PROJECT, []);
  if (!found) return false;
  await deps.db.execute(REVISE_BATCH, [found.projectId, deps.clock().toISOString()]);
  return true;
}

/* The index file_variants_to_revise has the same conditions. */
const FIND_PROJECT = `
select project_id as "projectId" from file_variants where ${IS_VARIANT_TO_REVISE} order by project_id limit 1`;

const REVISE_BATCH = `
${REVISE} and path = any(array(
  select path from file_variants where project_id = $1::bigint and ${IS_VARIANT_TO_REVISE}
  limit ${ROWS_PER_STATEMENT}))`;
