import { isPurgeFailure } from "#cdn/cdn.js";
import type { Queries, Transaction } from "#db/client.js";
import { IS_CURRENT_PRESET, IS_LEAVING_VARIANT } from "#db/schema/conditions.js";
import type { files, fileVariants } from "#db/schema/index.js";
import { bucketOf } from "#object-store/bucket-of.js";
import { MOVE_LEASE_MS } from "./copies.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { addMs, MINUTE_MS } from "#lib/time.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { StorageScope } from "#projects/storages.js";
import { sql } from "drizzle-orm";

export interface RemoveVariantsDeps {
  db: Queries;
  store: Pick<ObjectStore, "remove" | "published">;
  clock: () => Date;
}

/** A variant whose object is removed. */
export interface RemovedVariant {
  projectId: number;
  path: string;
  /** Whether the public bucket may have a copy. */
  publication: (typeof fileVariants.$inferSelect)["publication"];
}

/**
 * Whether a process has begun to copy a variant. It may do so right after the job has removed it from the public bucket, and before the job
 * has removed its object, so the row stays for the lease. Both times are parameters, because Citus allows no addition to a time in a `case`.
 */
const IS_BEGUN = "publication = 'begun'";

/** Until when storage may still put a copy that had no answer into the public bucket. Null: the file is gone. */
const UNANSWERED_COPIES_END = `
(select publish_ends_at from files f where f.project_id = file_variants.project_id and f.id = file_variants.file_id)`;

/**
 * Marks all variants of a file for removal, in the transaction of what ends them: a delete, other bytes, an infected verdict. A worker
 * may still be writing the object of a variant that it has claimed, so the row keeps the end of the worker's lease.
 *
 * @returns all variants, also those that were marked before; the caller may remove them at once, and the job removes the others
 */
export async function markVariantsOfFile(
  tx: Transaction,
  { projectId, id, publishEndsAt }: Pick<typeof files.$inferSelect, "projectId" | "id" | "publishEndsAt">,
  at: Date,
): Promise<RemovedVariant[]> {
  const latest = (date: Date) => new Date(Math.max(date.getTime(), publishEndsAt.getTime())).toISOString();
  const dueAt = sql`case when ${sql.raw(IS_BEGUN)} then ${latest(addMs(at, MOVE_LEASE_MS))}::timestamptz else ${latest(at)}::timestamptz end`;
  const rows = await tx.execute<Omit<RemovedVariant, "projectId">>(sql`
    update file_variants set status = 'removing', due_at = greatest(due_at, ${dueAt})
    where project_id = ${projectId}::bigint and file_id = ${id}::bigint
    returning path, publication`);
  return rows.map((row) => ({ projectId, ...row }));
}

/**
 * Removes the objects of one marked variant, and its row unless a process may still write one of them.
 *
 * @throws {StowageError} `unavailable`
 */
export async function removeVariant(
  deps: RemoveVariantsDeps,
  { projectId, path, publication }: RemovedVariant,
): Promise<void> {
  if (publication !== "none") await bucketOf(deps.store, "public").remove(path);
  await deps.store.remove(path);
  await deps.db.execute(FORGET, [projectId, path, deps.clock().toISOString()]);
}

const FORGET = `
delete from file_variants
where project_id = $1::bigint and path = $2 and status = 'removing' and due_at <= $3::timestamptz`;

/**
 * Removes the row of a variant that has lost an object, or has one that its row does not know. The next request makes it again.
 *
 * @throws {StowageError} `unavailable`
 */
export async function forgetVariant(
  deps: { db: Queries; clock: () => Date },
  projectId: number,
  path: string,
): Promise<void> {
  await deps.db.execute(MARK_LOST, [projectId, path, deps.clock().toISOString()]);
}

/** Removes it from both buckets, because the row may not know of a copy in one of them. */
const MARK_LOST = `
update file_variants set status = 'removing', due_at = greatest($3::timestamptz, ${UNANSWERED_COPIES_END}), publication = 'begun'
where project_id = $1::bigint and path = $2 and status = 'ready'`;

const VARIANTS_READ = 200;
const MAX_CONCURRENT_REMOVALS = 16;

/**
 * Removes the variants that are marked, in one batch, and marks those of presets that were deleted or changed. Several replicas may do
 * this at the same time.
 *
 * @param deps.onError called if the CDN takes no purge of a variant. It is repeated later
 * @returns whether more may be due
 * @throws {StowageError} `unavailable`
 */
export async function removeVariants(
  deps: RemoveVariantsDeps & { scope?: StorageScope | undefined; onError: (error: unknown) => void },
): Promise<boolean> {
  const hasMorePresets = await retirePreset(deps);
  const due = await deps.db.execute<RemovedVariant>(findDue(deps.scope), [deps.clock().toISOString()]);
  await forEachBounded(due, MAX_CONCURRENT_REMOVALS, async (variant) => {
    try {
      await removeVariant(deps, variant);
    } catch (error) {
      if (!isPurgeFailure(error)) throw error;
      // Other variants may need no purge, and leave the public bucket at least.
      deps.onError(error);
      const until = addMs(deps.clock(), PURGE_PAUSE_MS).toISOString();
      await deps.db.execute(POSTPONE, [variant.projectId, variant.path, until]);
    }
  });
  return hasMorePresets || due.length === VARIANTS_READ;
}

/** After this time the service asks the CDN again to purge a variant that it refused to purge. */
const PURGE_PAUSE_MS = MINUTE_MS;
const POSTPONE = `
update file_variants set due_at = $3::timestamptz where project_id = $1::bigint and path = $2 and status = 'removing'`;

const findDue = (scope: StorageScope | undefined) => `
select project_id as "projectId", path, publication from file_variants
where ${IS_LEAVING_VARIANT} and due_at <= $1::timestamptz${scope ? ` and ${scope.condition("file_variants.project_id")}` : ""}
order by due_at limit ${VARIANTS_READ}`;

/** A request that had read the preset before it was retired has queued its variant by then. */
const REQUESTS_END_AFTER_MS = MINUTE_MS;
const VARIANTS_PER_STATEMENT = 1000;

interface RetiredPreset {
  projectId: number;
  id: number;
  hash: string;
  avifHash: string | null;
}

/** Marks some variants of one retired preset, and deletes the preset when it has none. A living preset may have the same parameters. */
async function retirePreset(deps: RemoveVariantsDeps): Promise<boolean> {
  const now = deps.clock();
  const until = addMs(now, -REQUESTS_END_AFTER_MS).toISOString();
  const [preset] = await deps.db.execute<RetiredPreset>(FIND_RETIRED, [until]);
  if (!preset) return false;
  const { projectId, id, hash, avifHash } = preset;
  const values = [projectId, hash, avifHash, now.toISOString(), addMs(now, MOVE_LEASE_MS).toISOString()];
  const marked = await deps.db.execute(MARK_OF_PRESET, values);
  if (marked.length < VARIANTS_PER_STATEMENT) await deps.db.execute(FORGET_PRESET, [projectId, id]);
  return true;
}

const FIND_RETIRED = `
select project_id as "projectId", id, hash, avif_hash as "avifHash" from image_presets
where retired_at <= $1::timestamptz order by retired_at limit 1`;

const MARK_OF_PRESET = `
update file_variants set status = 'removing',
  due_at = greatest(due_at, case when ${IS_BEGUN} then $5::timestamptz else $4::timestamptz end, ${UNANSWERED_COPIES_END})
where project_id = $1::bigint and path = any(array(
  select v.path from file_variants v
  where v.project_id = $1::bigint and v.preset_hash in ($2, $3) and v.status <> 'removing'
    and not exists (select from image_presets i where i.project_id = $1::bigint and ${IS_CURRENT_PRESET}
                    and v.preset_hash in (i.hash, i.avif_hash))
  limit ${VARIANTS_PER_STATEMENT}))
returning path`;

const FORGET_PRESET = `delete from image_presets where project_id = $1::bigint and id = $2::bigint`;
