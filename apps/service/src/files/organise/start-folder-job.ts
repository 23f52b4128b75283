import { type DeleteFolderRequest, limits, type MoveFolderRequest, StowageError } from "@stowage/schemas";
import { and, eq, isNull } from "drizzle-orm";
import type { ProjectActor } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { folderJobs, tenants } from "#db/schema/index.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import type { Project } from "#projects/find-project.js";
import { countFiles, depthOf, type FolderChange } from "./files-of-folder.js";

export interface StartFolderJobDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
}

/** Jobs of one tenant that may run at the same time. */
const MAX_RUNNING = 100;
const RETRY_AFTER_SECONDS = 10;

/**
 * Starts a job that gives a folder another name, at the customer's request: files in it and below it, also those in the trash, move to the
 * same place in or below `to`. A file that is uploaded into the folder later stays there. The same request again answers the job that runs.
 *
 * @throws {StowageError} `invalid_request` if a folder would have too many segments; `folder_busy` while another job changes one of these
 * folders; `tenant_not_found`; `tenant_being_deleted`; `too_many_requests` while 100 jobs of the tenant run; `unavailable`
 */
export function moveFolder(
  deps: StartFolderJobDeps,
  project: Project,
  { tenantId, from, to }: MoveFolderRequest,
): Promise<{ jobId: string }> {
  return startJob(deps, project, { tenantId, from, to });
}

/**
 * Starts a job that deletes the files in a folder and below it, at the customer's request, as a delete of each: into the trash, if the
 * project has one, and a file on hold stays. A file that is uploaded into the folder later stays.
 *
 * @throws {StowageError} as {@link moveFolder}
 */
export function deleteFolder(
  deps: StartFolderJobDeps,
  project: Project,
  { tenantId, folder }: DeleteFolderRequest,
): Promise<{ jobId: string }> {
  return startJob(deps, project, { tenantId, from: folder, to: null });
}

/**
 * The same for an operator, with an audit entry.
 *
 * @param change.to null deletes the files
 * @throws {StowageError} as {@link moveFolder}
 */
export async function changeFolderAudited(
  deps: StartFolderJobDeps,
  actor: ProjectActor,
  change: NewJob,
): Promise<{ jobId: string }> {
  const { project, operator } = actor;
  const job = await prepareJob(deps, project, change, operator.email);
  return auditedTransaction(deps, actor, async (_, tx) => {
    const { jobId, isNew } = await insertJob(tx, job);
    const { tenantId, from: folder, to } = change;
    const entry = {
      action: to === null ? "folder.deleted" : "folder.moved",
      projectId: project.id,
      details: { tenantId, folder, ...(to !== null && { to }), jobId },
    } as const;
    return { result: { jobId }, entry: isNew ? entry : null };
  });
}

export interface NewJob extends FolderChange {
  tenantId: string;
}

type JobRow = typeof folderJobs.$inferInsert;

async function startJob(
  deps: StartFolderJobDeps,
  project: Project,
  change: NewJob,
): Promise<{ jobId: string }> {
  const job = await prepareJob(deps, project, change, "customer");
  const { jobId } = await inTransaction(deps.db, (_, tx) => insertJob(tx, job));
  return { jobId };
}

/** Counts the files before the tenant is locked, so that its uploads do not wait for that. */
async function prepareJob(
  { db, clock, randomBytes }: StartFolderJobDeps,
  project: Project,
  { tenantId, from, to }: NewJob,
  actor: string,
): Promise<JobRow> {
  const tenant = await findTenant(db, project, tenantId);
  const { lastId, total, depth } = await countFiles(db, { projectId: project.id, tenant, from, to });
  if (to !== null && depth - depthOf(from) + depthOf(to) > limits.folderDepth)
    throw new StowageError("invalid_request", {
      detail: `A folder below to would have more than ${limits.folderDepth} segments`,
    });
  const createdAt = clock();
  return {
    projectId: project.id,
    ref: randomRef(randomBytes),
    tenant,
    fromFolder: from,
    toFolder: to,
    actor,
    total,
    lastId,
    createdAt,
    dueAt: createdAt,
  };
}

async function findTenant(db: Queries, project: Project, tenantId: string): Promise<number> {
  const [row] = await db.run((drizzle) =>
    drizzle
      .select({ id: tenants.id })
      .from(tenants)
      .where(and(eq(tenants.projectId, project.id), eq(tenants.tenantId, tenantId))),
  );
  if (!row) throw new StowageError("tenant_not_found");
  return row.id;
}

/** Inserts a job under the lock of its tenant, so that no two jobs that change the same folder start at the same time. */
async function insertJob(tx: Transaction, job: JobRow): Promise<{ jobId: string; isNew: boolean }> {
  const [tenant] = await tx
    .select({ nextPurgeAt: tenants.nextPurgeAt })
    .from(tenants)
    .where(and(eq(tenants.projectId, job.projectId), eq(tenants.id, job.tenant)))
    .for("no key update");
  if (!tenant) throw new StowageError("tenant_not_found");
  if (tenant.nextPurgeAt) throw new StowageError("tenant_being_deleted");
  const running = await tx
    .select({ ref: folderJobs.ref, from: folderJobs.fromFolder, to: folderJobs.toFolder })
    .from(folderJobs)
    .where(
      and(
        eq(folderJobs.projectId, job.projectId),
        eq(folderJobs.tenant, job.tenant),
        isNull(folderJobs.endedAt),
      ),
    );
  const change: FolderChange = { from: job.fromFolder, to: job.toFolder ?? null };
  const same = running.find(({ from, to }) => from === change.from && to === change.to);
  if (same) return { jobId: same.ref, isNew: false };
  if (running.some((other) => areInConflict(change, other))) throw new StowageError("folder_busy");
  if (running.length >= MAX_RUNNING)
    throw new StowageError("too_many_requests", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  await tx.insert(folderJobs).values(job);
  return { jobId: job.ref, isNew: true };
}

/** Whether one job takes files from where the other one takes or puts them. Two jobs may put files into the same folder. */
function areInConflict(one: FolderChange, other: FolderChange): boolean {
  return (
    areRelated(one.from, other.from) ||
    (other.to !== null && areRelated(one.from, other.to)) ||
    (one.to !== null && areRelated(one.to, other.from))
  );
}

/** Whether two folders are the same, or one is below the other. Every folder is below the root. */
const areRelated = (a: string, b: string) =>
  a === "" || b === "" || `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
