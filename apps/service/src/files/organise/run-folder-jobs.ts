import { limits } from "@stowage/schemas";
import { sql } from "drizzle-orm";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { markDeleting } from "#files/end/mark-deleting.js";
import { recordBeforeDelete } from "#files/delete/record-before-delete.js";
import { type RemoveObjectDeps, removeObjects } from "#files/delete/remove-objects.js";
import { lockFiles, type OwnedFile } from "#files/lifecycle/lock-files.js";
import type { SettleUploadDeps } from "#files/settle/settle-upload.js";
import { addMs, SECOND_MS } from "#lib/time.js";
import type { Project } from "#projects/find-project.js";
import type { StorageScope } from "#projects/storages.js";
import { workKinds } from "#work/work-kinds.js";
import { createWorkQueue, isClaimed, type WorkClaim, type WorkTurn } from "#work/work-queue.js";
import { depthOf, findNextFiles, type FolderChange } from "./files-of-folder.js";
import { writeUpdates } from "./write-updates.js";

export type FolderJobDeps = SettleUploadDeps &
  RemoveObjectDeps & { db: Queries; scope?: StorageScope | undefined };

export interface StepSizes {
  /** Files that one transaction changes. */
  filesPerStep: number;
  /** At most so many follow each other, and then other projects take their turns. Finding the files of all of them reads the folder once. */
  stepsPerClaim: number;
}

const stepSizes: StepSizes = { filesPerStep: 1000, stepsPerClaim: 10 };
/** After this time no other step begins before the turns of other projects. */
const TURN_MS = 5 * SECOND_MS;

interface JobColumns extends FolderChange {
  projectRef: string;
  tenant: number;
  actor: string;
  lastId: number;
  lastFile: number;
}
type Job = WorkClaim & JobColumns;

const queue = createWorkQueue<JobColumns>(workKinds.folderJobs);

/**
 * Continues one job for a folder, in turns between the projects. Each step changes at most 1,000 files and writes down how far the job is,
 * in one transaction, so a process that dies leaves no file that is changed and not counted, or changed twice.
 *
 * @param sizes @default those above
 * @returns whether there may be more to do now
 * @throws {StowageError} `unavailable`; the job is tried again after a pause
 */
export async function runFolderJobs(
  deps: FolderJobDeps,
  turn: WorkTurn,
  sizes: StepSizes = stepSizes,
): Promise<boolean> {
  const job = await queue.claimNext(deps, turn);
  if (!job) return false;
  try {
    await runSteps(deps, job, sizes);
  } catch (error) {
    if (error instanceof ClaimOverError) return true;
    // Otherwise its lease ends.
    await queue.retryLater(deps, job).catch(() => undefined);
    throw error;
  }
  return true;
}

/** Another process has claimed the job, or its tenant is being deleted. The transaction is rolled back. */
class ClaimOverError extends Error {}

async function runSteps(
  deps: FolderJobDeps,
  job: Job,
  { filesPerStep, stepsPerClaim }: StepSizes,
): Promise<void> {
  const { projectId, tenant, from, to, lastFile: after, lastId } = job;
  const limit = filesPerStep * stepsPerClaim;
  const ids = await findNextFiles(deps.db, { projectId, tenant, from, to }, { after, lastId, limit });
  const until = addMs(deps.clock(), TURN_MS);
  for (let start = 0; start < ids.length; start += filesPerStep) {
    if (deps.clock() >= until) return queue.giveBack(deps, job);
    await runStep(deps, job, ids.slice(start, start + filesPerStep));
  }
  if (ids.length === limit) return queue.giveBack(deps, job);
  await endJob(deps, job);
}

async function runStep(deps: FolderJobDeps, job: Job, fileIds: number[]): Promise<void> {
  const project = { id: job.projectId, ref: job.projectRef };
  // The bytes of an upload that has arrived go to the trash too.
  const removing = job.to === null ? await recordBeforeDelete(deps, project, { fileIds }) : [];
  const deleted = await inTransaction(deps.db, async (db, tx) => {
    const locked = await lockFiles(tx, project, { fileIds });
    const files = locked.filter(({ file }) => `${file.folder}/`.startsWith(`${job.from}/`));
    const inTx = { ...deps, db, tx };
    const step =
      job.to === null
        ? await deleteStep(inTx, project, job, files)
        : await moveStep(inTx, project, { ...job, to: job.to }, files);
    await writeProgress(deps, db, job, { ...step, lastFile: fileIds.at(-1)! });
    return step.deleted;
  });
  await removeObjects(deps, project, [...removing, ...deleted]);
}

type InTransaction = Omit<FolderJobDeps, "db"> & { db: Queries; tx: Transaction };

/** What a step did. */
interface Step {
  done: number;
  kept: number;
  /** The paths of files whose objects are to be removed. */
  deleted: string[];
}

async function deleteStep(
  deps: InTransaction,
  project: Project,
  job: Job,
  files: OwnedFile[],
): Promise<Step> {
  const fileIds = files.map(({ file }) => file.id);
  if (fileIds.length === 0) return { done: 0, kept: 0, deleted: [] };
  const { deleting, trashed, onHold } = await markDeleting(deps, project, { fileIds, actor: job.actor });
  return {
    done: deleting.length + trashed.length,
    kept: onHold.length,
    deleted: deleting.map(({ path }) => path),
  };
}

async function moveStep(
  { tx, ...deps }: InTransaction,
  project: Project,
  { from, to, actor }: Job & { to: string },
  files: OwnedFile[],
): Promise<Step> {
  const before = files
    .map(({ file }) => file)
    // One that came to a deeper folder after the job was made.
    .filter(({ folder }) => depthOf(folder) - depthOf(from) + depthOf(to) <= limits.folderDepth);
  if (before.length > 0) {
    // Without the root's name, the rest begins after its "/".
    const rest = sql`substr(folder, char_length(${from}::text) + ${to === "" ? 2 : 1})`;
    const columns = { folder: sql`${to}::text || ${rest}` };
    await writeUpdates(tx, deps, project, { before, columns, actor });
  }
  return { done: before.length, kept: files.length - before.length, deleted: [] };
}

const { folderJobs: kind } = workKinds;

/** Also renews the lease. The job's row is locked after the files and their tenant, as every other caller does it. */
const WRITE_PROGRESS = `
update folder_jobs t
set done = t.done + $4::integer, kept = t.kept + $5::integer,
    total = greatest(t.total, t.done + t.kept + $4::integer + $5::integer), last_file = $6::bigint, failures = 0,
    due_at = $7::timestamptz
where ${isClaimed(kind)} returning t.id`;

/** @throws {ClaimOverError} */
async function writeProgress(
  { clock }: FolderJobDeps,
  db: Queries,
  { projectId, key, number }: Job,
  { done, kept, lastFile }: Step & { lastFile: number },
): Promise<void> {
  const leaseUntil = addMs(clock(), kind.leaseMs).toISOString();
  const values = [projectId, key, number, done, kept, lastFile, leaseUntil];
  if ((await db.execute(WRITE_PROGRESS, values)).length === 0) throw new ClaimOverError();
}

const END = `update folder_jobs t set ended_at = $4::timestamptz where ${isClaimed(kind)} returning t.id`;

async function endJob({ db, clock }: FolderJobDeps, { projectId, key, number }: Job): Promise<void> {
  await db.execute(END, [projectId, key, number, clock().toISOString()]);
}
