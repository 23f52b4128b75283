import { and, eq, ne, sql } from "drizzle-orm";
import type { Database } from "#db/client.js";
import {
  eventLogs,
  fileEvents,
  files,
  fileVariants,
  folderJobs,
  folders,
  idempotencyKeys,
  imagePresets,
  logDeliveries,
  plans,
  projectMembers,
  projects,
  projectUsageDaily,
  refusalsDaily,
  refusedRequests,
  tenants,
  tombstones,
  usageDaily,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
  webhookOutbox,
} from "#db/schema/index.js";
import { markDeleting } from "#files/end/mark-deleting.js";
import { type RemoveObjectDeps, removeObjects } from "#files/delete/remove-objects.js";
import { addMs, MINUTE_MS } from "#lib/time.js";
import type { Project } from "#projects/find-project.js";
import { workKinds } from "#work/work-kinds.js";
import { createWorkQueue, type WorkTurn } from "#work/work-queue.js";

export type PurgeDeletedProjectDeps = RemoveObjectDeps & { db: Database };

const FILES_PER_CALL = 1000;
const ROWS_PER_STATEMENT = 5000;
/** How long to wait for the sweeper to remove the remaining objects. */
const WAIT_FOR_SWEEPER_MS = MINUTE_MS;
/** An upload that was admitted just before the project was deleted has inserted its rows after this time. */
const ADMISSIONS_END_AFTER_MS = MINUTE_MS;

/**
 * Purges a part of one deleted project: a thousand of its files, or its remaining rows once all files are gone. After an
 * interruption the next call on any replica continues. Repeating a step changes nothing.
 *
 * The project's own row stays until no URL to any of its files can be valid, about a day, because the tombstones of those files
 * belong to it. The audit log is never deleted.
 *
 * @returns whether there may be more to purge now
 * @throws {StowageError} `unavailable`; the project is claimed again after its lease
 */
export async function purgeDeletedProject(deps: PurgeDeletedProjectDeps, turn: WorkTurn): Promise<boolean> {
  const claim = await queue.claimNext(deps, turn);
  if (!claim) return false;
  const project = { id: claim.projectId, ref: claim.ref };
  const hadFiles = await deleteSomeFiles(deps, project);
  // A download that came just before the deletion may have queued a variant of a file that is gone.
  if (!hadFiles) await deps.db.execute(MARK_VARIANTS, [project.id, deps.clock().toISOString()]);
  const remaining = hadFiles ? "rows" : await deleteRows(deps, project.id);
  if (remaining !== "nothing")
    await queue.giveBack(deps, claim, remaining === "rows" ? 0 : WAIT_FOR_SWEEPER_MS);
  return true;
}

const queue = createWorkQueue<{ ref: string }>(workKinds.projectPurges);

const MARK_VARIANTS = `
update file_variants set status = 'removing', due_at = greatest(due_at, $2::timestamptz)
where project_id = $1::bigint and status <> 'removing'`;

async function deleteSomeFiles(deps: PurgeDeletedProjectDeps, project: Project): Promise<boolean> {
  const some = await deps.db.run((db) =>
    db
      .select({ id: files.id })
      .from(files)
      // A project with files on hold cannot be deleted. If one had any after all, they would be kept.
      .where(and(eq(files.projectId, project.id), ne(files.status, "deleting"), eq(files.held, false)))
      .limit(FILES_PER_CALL),
  );
  if (some.length === 0) return false;
  // No history is recorded, because it would be deleted with the project.
  const { deleting } = await markDeleting(deps, project, {
    fileIds: some.map((file) => file.id),
    purge: true,
    actor: null,
  });
  await removeObjects(
    deps,
    project,
    deleting.map((file) => file.path),
  );
  return true;
}

/**
 * Tables that may contain millions of rows of one project. A table comes before the tables that it refers to, and before those into
 * which a job moves its rows.
 */
const LARGE_TABLES = [
  fileEvents,
  usageDaily,
  projectUsageDaily,
  logDeliveries,
  refusalsDaily,
  refusedRequests,
  idempotencyKeys,
  imagePresets,
  webhookOutbox,
  webhookAttempts,
  webhookDeliveries,
  webhookEvents,
  eventLogs,
  webhookEndpoints,
  folders,
  folderJobs,
  tenants,
  plans,
];

/** @returns what remains: `files` that the sweeper has not removed yet, `rows` that the next call can delete, or `nothing` */
async function deleteRows(
  deps: { db: Database; clock: () => Date },
  projectId: number,
): Promise<"files" | "rows" | "nothing"> {
  const deletedBefore = addMs(deps.clock(), -ADMISSIONS_END_AFTER_MS);
  return deps.db.run((db) =>
    db.transaction(async (tx) => {
      const [{ isEmpty } = { isEmpty: false }] = await tx
        .select({
          isEmpty: sql<boolean>`deleted_at <= ${deletedBefore.toISOString()}::timestamptz
            and not exists (select from ${files} where project_id = ${projectId})
            and not exists (select from ${tombstones} where project_id = ${projectId})
            and not exists (select from ${fileVariants} where project_id = ${projectId})`,
        })
        .from(projects)
        .where(eq(projects.id, projectId));
      if (!isEmpty) return "files";
      for (const table of LARGE_TABLES) {
        const some = sql`select ctid from ${table} where project_id = ${projectId} limit ${ROWS_PER_STATEMENT}`;
        const deleted = await tx.execute(
          sql`delete from ${table} where project_id = ${projectId} and ctid = any(array(${some}))`,
        );
        if (deleted.count === ROWS_PER_STATEMENT) return "rows";
      }
      await tx.delete(projectMembers).where(eq(projectMembers.projectId, projectId));
      await tx.delete(projects).where(eq(projects.id, projectId));
      return "nothing";
    }),
  );
}
