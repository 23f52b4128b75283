import { StowageError } from "@stowage/schemas";
import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import {
  fileEvents,
  files,
  folderJobs,
  folders,
  idempotencyKeys,
  logDeliveries,
  refusedRequests,
  tenants,
  usageDaily,
} from "#db/schema/index.js";
import type { AuditActor } from "#audit/caller.js";
import { writeAudit } from "#audit/write-audit.js";
import { markDeleting } from "#files/end/mark-deleting.js";
import { type RemoveObjectDeps, removeObjects } from "#files/delete/remove-objects.js";
import { refuseFilesOnHold } from "#files/lifecycle/set-hold.js";
import { addMs } from "#lib/time.js";
import { deleteEvents } from "#webhooks/delete-old-events.js";
import { fanOutProject } from "#webhooks/fan-out-events.js";
import type { Project } from "#projects/find-project.js";
import { workKinds } from "#work/work-kinds.js";
import { createWorkQueue, type WorkTurn } from "#work/work-queue.js";

export type DeleteTenantDeps = RemoveObjectDeps & { db: Queries };

export interface TenantDeletion {
  tenantId: string;
  /**
   * Files and open uploads that are not removed yet. 0: nothing of the tenant is left. From 10,000 on a lower bound. 1 also if no file is
   * left, but other rows are, such as events.
   */
  remainingFiles: number;
}

const FILES_PER_STEP = 1000;
/** So that callers see progress, and a tenant with millions of files costs each call no more than this. */
export const MAX_COUNTED = 10_000;
const ROWS_PER_STATEMENT = 5000;

/**
 * Deletes a tenant with everything that the service knows of it: its files, also those in the trash, their histories, the events about it
 * and their deliveries, its usage per day, what access logs said of it, and its row. Each call does one step of at most 1,000 files, also those that storage did not remove before, and a job continues if the caller
 * does not. From the first call on, new uploads of the tenant are refused. The first call writes an audit entry. No event is sent for the
 * files.
 *
 * @returns what is left. Repeat the call until nothing is
 * @throws {StowageError} `tenant_not_found`, also when the deletion has finished; `file_on_hold`, and then nothing was deleted;
 * `unavailable`
 */
export async function deleteTenant(
  deps: DeleteTenantDeps,
  project: Project,
  tenantId: string,
  by: AuditActor,
): Promise<TenantDeletion> {
  const tenant = await deps.db.run((db) =>
    db.transaction(async (tx) => {
      const at = deps.clock();
      const { tenant, isNew } = await startDeletion(tx, project, tenantId, at);
      const entry = { action: "tenant.deleted", projectId: project.id, details: { tenantId } } as const;
      if (isNew) await writeAudit(tx, { ...by, at }, entry);
      return tenant;
    }),
  );
  return { tenantId, remainingFiles: await continueTenantDeletion(deps, project, tenant) };
}

/** Marks a tenant as being deleted, unless it is marked already. */
async function startDeletion(
  tx: Transaction,
  project: Project,
  tenantId: string,
  now: Date,
): Promise<{ tenant: number; isNew: boolean }> {
  const isThis = and(eq(tenants.projectId, project.id), eq(tenants.tenantId, tenantId));
  const [row] = await tx
    .select({ id: tenants.id, nextPurgeAt: tenants.nextPurgeAt })
    .from(tenants)
    .where(isThis)
    .for("update");
  if (!row) throw new StowageError("tenant_not_found");
  const isNew = row.nextPurgeAt === null;
  if (isNew) await refuseFilesOnHold(tx, { projectId: project.id, tenant: row.id });
  // Those that run stop, so that they write no more events. No new one can be made from now on.
  await tx.delete(folderJobs).where(and(eq(folderJobs.projectId, project.id), eq(folderJobs.tenant, row.id)));
  await tx
    .update(tenants)
    .set({ nextPurgeAt: addMs(now, workKinds.tenantDeletions.leaseMs) })
    .where(isThis);
  return { tenant: row.id, isNew };
}

/**
 * One step of the deletion of a marked tenant. Repeating it changes nothing.
 *
 * @param tenant `tenants.id`
 * @returns how many files are left, as {@link TenantDeletion.remainingFiles}
 * @throws {StowageError} `unavailable`
 */
async function continueTenantDeletion(
  deps: DeleteTenantDeps,
  project: Project,
  tenant: number,
): Promise<number> {
  const isOfTenant = and(eq(files.projectId, project.id), eq(files.tenant, tenant));
  const some = await deps.db.run((db) =>
    db
      .select({ id: files.id })
      .from(files)
      .where(and(isOfTenant, ne(files.status, "deleting")))
      .limit(FILES_PER_STEP),
  );
  const fileIds = some.map(({ id }) => id);
  if (fileIds.length > 0) await markWithoutHistory(deps, project, fileIds);
  // Also those that an earlier step or another call has marked, and whose objects storage did not remove.
  const deleting = await deps.db.run((db) =>
    db
      .select({ path: files.path })
      .from(files)
      .where(and(isOfTenant, eq(files.status, "deleting")))
      .limit(FILES_PER_STEP),
  );
  await removeObjects(
    deps,
    project,
    deleting.map(({ path }) => path),
  );
  await deleteSomeEvents(deps, project, tenant);
  return deps.db.run((db) => db.transaction((tx) => deleteRows(tx, project, tenant)));
}

/**
 * Marks files as `deleting`, and deletes their histories in the same transaction. It locks the files first, so no other call can write
 * an event that stays.
 */
function markWithoutHistory(deps: DeleteTenantDeps, project: Project, fileIds: number[]): Promise<void> {
  return inTransaction(deps.db, async (db, tx) => {
    await markDeleting({ ...deps, db }, project, { fileIds, purge: true, actor: null });
    await tx
      .delete(fileEvents)
      .where(and(eq(fileEvents.projectId, project.id), inArray(fileEvents.fileId, fileIds)));
  });
}

/** Also those that are still in the outbox, and of which deliveries are waiting. */
async function deleteSomeEvents({ db }: DeleteTenantDeps, { id }: Project, tenant: number): Promise<void> {
  await fanOutProject(db, id);
  const events = await db.execute<{ id: string }>(FIND_EVENTS, [id, tenant]);
  if (events.length > 0) await deleteEvents(db, id, JSON.stringify(events.map((event) => event.id)));
}

const FIND_EVENTS = `
select e.id from webhook_events e
where e.project_id = $1::bigint
  and e.data ->> 'tenant_id' = (select t.tenant_id from tenants t where t.project_id = $1::bigint and t.id = $2::bigint)
limit ${ROWS_PER_STATEMENT}`;

/** @returns {@link TenantDeletion.remainingFiles}. The tenant's row is deleted when no file is left, and no other row refers to it */
async function deleteRows(tx: Transaction, { id: projectId }: Project, tenant: number): Promise<number> {
  const isThis = and(eq(tenants.projectId, projectId), eq(tenants.id, tenant));
  const [row] = await tx
    .select({ tenantId: tenants.tenantId, fileCount: tenants.fileCount, nextPurgeAt: tenants.nextPurgeAt })
    .from(tenants)
    .where(isThis)
    .for("update");
  // Another call has finished.
  if (!row?.nextPurgeAt) return 0;
  const some = tx
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.projectId, projectId), eq(files.tenant, tenant)))
    .limit(MAX_COUNTED);
  const left = await tx.$count(some.as("some"));
  if (left > 0) return Math.max(left, row.fileCount);
  const [event] = await tx.execute(sql`
    select from webhook_events where project_id = ${projectId} and data ->> 'tenant_id' = ${row.tenantId}
    union all
    select from webhook_outbox where project_id = ${projectId} and by_tenant ->> ${String(tenant)} is not null limit 1`);
  if (event) return 1;
  const ofTenant = sql`project_id = ${projectId} and tenant = ${tenant}`;
  for (const table of [usageDaily, logDeliveries, idempotencyKeys, folders]) {
    const some = sql`select ctid from ${table} where ${ofTenant} limit ${ROWS_PER_STATEMENT}`;
    const deleted = await tx.execute(
      sql`delete from ${table} where project_id = ${projectId} and ctid = any(array(${some}))`,
    );
    if (deleted.count === ROWS_PER_STATEMENT) return 1;
  }
  await tx
    .delete(refusedRequests)
    .where(and(eq(refusedRequests.projectId, projectId), eq(refusedRequests.tenantId, row.tenantId)));
  await tx.delete(tenants).where(isThis);
  return 0;
}

/**
 * Continues deletions of tenants whose callers stopped, in turns between the projects, one step each.
 *
 * @returns whether there may be more to do now
 * @throws {StowageError} `unavailable`; a claimed tenant is claimed again after its lease
 */
export async function continueTenantDeletions(deps: DeleteTenantDeps, turn: WorkTurn): Promise<boolean> {
  for (let steps = 0; steps < STEPS_PER_CALL; steps++) {
    const claim = await queue.claimNext(deps, turn);
    if (!claim) return false;
    const project = { id: claim.projectId, ref: claim.projectRef };
    const remaining = await continueTenantDeletion(deps, project, Number(claim.key));
    // Otherwise storage has not removed the last ones, and is asked again after the lease.
    if (remaining >= FILES_PER_STEP) await queue.giveBack(deps, claim);
  }
  return true;
}

const STEPS_PER_CALL = 20;
const queue = createWorkQueue<{ projectRef: string }>(workKinds.tenantDeletions);
