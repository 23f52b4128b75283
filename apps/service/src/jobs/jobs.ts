import { deleteExpired } from "#auth/delete-expired.js";
import { deleteExpiredEvents } from "#files/file-events.js";
import { deleteExpiredKeys } from "#files/upload/idempotency.js";
import { sweepUploads, type SweepDeps } from "#files/settle/sweep-uploads.js";
import { purgeDeletedProject, type PurgeDeletedProjectDeps } from "#projects/purge-deleted-project.js";
import { HOUR_MS, SECOND_MS } from "#lib/time.js";
import { type Job, repeat } from "./repeat.js";

interface JobDefinition {
  name: string;
  /** Pause between two runs that found little to do. 0: the job does not run in this replica. */
  intervalMs(settings: JobSettings): number;
  /** Resolves with true if more work is waiting. The next run then starts without a pause. */
  run(deps: RunDeps): Promise<boolean>;
}

/** Everything that the service does without a request. Every replica runs these jobs, and they may run at the same time. */
const definitions: JobDefinition[] = [
  {
    // Writes what requests left in memory: when keys were used and how many requests were refused.
    name: "buffered-writer",
    intervalMs: () => 5 * SECOND_MS,
    run: async ({ buffers }) => {
      await Promise.all(buffers.map((buffer) => buffer.flush()));
      return false;
    },
  },
  {
    // Deletes expired sign-in data, expired idempotency keys, and the histories of files that were deleted long ago.
    name: "retention",
    intervalMs: () => HOUR_MS,
    run: async (deps) => {
      await deleteExpired(deps);
      const hasMore = await Promise.all([deleteExpiredKeys(deps), deleteExpiredEvents(deps)]);
      return hasMore.includes(true);
    },
  },
  {
    // Looks into storage for uploads that nothing has reported.
    name: "sweeper",
    intervalMs: ({ sweepIntervalMs }) => sweepIntervalMs,
    run: sweepUploads,
  },
  {
    // Removes the files of deleted projects.
    name: "project-purge",
    intervalMs: ({ sweepIntervalMs }) => sweepIntervalMs,
    run: purgeDeletedProject,
  },
];

type RunDeps = SweepDeps & PurgeDeletedProjectDeps & { buffers: { flush(): Promise<void> }[] };

type JobDeps = Omit<RunDeps, "onError"> & {
  onError: (error: unknown, jobName: string) => void;
};

interface JobSettings {
  sweepIntervalMs: number;
}

/** Starts the jobs that run in this replica. */
export function startJobs(deps: JobDeps, settings: JobSettings): Job[] {
  return definitions
    .filter((job) => job.intervalMs(settings) > 0)
    .map(({ name, intervalMs, run }) => {
      const onError = (error: unknown) => deps.onError(error, name);
      return repeat(() => run({ ...deps, onError }), intervalMs(settings), onError);
    });
}
