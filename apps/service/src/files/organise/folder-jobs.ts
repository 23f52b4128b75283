import { type ReadJobQuery, StowageError } from "@stowage/schemas";
import { and, eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { folderJobs, tenants } from "#db/schema/index.js";
import { groupBy } from "#lib/group-by.js";
import { addMs, DAY_MS } from "#lib/time.js";
import type { Project } from "#projects/find-project.js";

/** A job for a folder as callers see it. */
export interface JobRecord {
  jobId: string;
  kind: "move_folder" | "delete_folder";
  tenantId: string;
  state: "running" | "done";
  /** Files that were in the folder when the job was made. */
  total: number;
  /** Files that the job has moved or deleted. */
  done: number;
  /** Files that it had to leave: on hold, or too deep for the new name. */
  kept: number;
  createdAt: string;
  /** Null while it runs. */
  endedAt: string | null;
}

/**
 * Tells how far a job is.
 *
 * @throws {StowageError} `job_not_found`, also for a job of another project or tenant, and seven days after its end; `unavailable`
 */
export async function readJob(
  { db }: { db: Queries },
  project: Project,
  { jobId, tenantId }: ReadJobQuery,
): Promise<JobRecord> {
  const [found] = await db.run((drizzle) =>
    drizzle
      .select({ job: folderJobs, tenantId: tenants.tenantId })
      .from(folderJobs)
      .innerJoin(tenants, and(eq(tenants.projectId, folderJobs.projectId), eq(tenants.id, folderJobs.tenant)))
      .where(
        and(
          eq(folderJobs.projectId, project.id),
          eq(folderJobs.ref, jobId),
          tenantId === undefined ? undefined : eq(tenants.tenantId, tenantId),
        ),
      ),
  );
  if (!found) throw new StowageError("job_not_found");
  const { toFolder, total, done, kept, createdAt, endedAt } = found.job;
  return {
    jobId,
    kind: toFolder === null ? "delete_folder" : "move_folder",
    tenantId: found.tenantId,
    state: endedAt === null ? "running" : "done",
    total,
    done,
    kept,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

/** For how long an ended job can be read. */
const KEPT_MS = 7 * DAY_MS;
const DELETE_BATCH_SIZE = 5000;

/**
 * Deletes jobs that ended more than seven days ago, one batch per call.
 *
 * @returns whether there may be more to delete
 * @throws {StowageError} `unavailable`
 */
export async function deleteOldJobs({ db, clock }: { db: Queries; clock: () => Date }): Promise<boolean> {
  const before = addMs(clock(), -KEPT_MS).toISOString();
  const old = await db.execute<{ projectId: number; id: number }>(FIND_OLD, [before]);
  for (const [projectId, jobs] of groupBy(old, (job) => job.projectId)) {
    await db.execute(DELETE_JOBS, [projectId, `{${jobs.map(({ id }) => id).join(",")}}`]);
  }
  return old.length === DELETE_BATCH_SIZE;
}

const FIND_OLD = `
select project_id as "projectId", id from folder_jobs
where ended_at <= $1::timestamptz order by ended_at limit ${DELETE_BATCH_SIZE}`;

/** Deletes jobs of one project, because Citus deletes chosen rows only on one shard. */
const DELETE_JOBS = `delete from folder_jobs where project_id = $1::bigint and id = any($2::text::bigint[])`;
