import { deleteExpired } from "#auth/delete-expired.js";
import { deleteExpiredEvents } from "#files/record/file-events.js";
import { deleteExpiredKeys } from "#files/upload/idempotency.js";
import { deleteOldJobs } from "#files/organise/folder-jobs.js";
import { runFolderJobs } from "#files/organise/run-folder-jobs.js";
import { sweepParts, sweepUploads, type SweepDeps } from "#files/sweep/sweep-uploads.js";
import type { ClockCheck } from "#health/clock-check.js";
import { REPORT_INTERVAL_MS } from "#health/replica.js";
import { deleteOldRequestCounts } from "#health/request-counters.js";
import type { Signals } from "#db/signals.js";
import { purgeDeletedProject, type PurgeDeletedProjectDeps } from "#purge/purge-deleted-project.js";
import { moveFiles, type MoveFilesDeps } from "#visibility/move-file.js";
import { scopeOf, type Storages } from "#projects/storages.js";
import { HOUR_MS, SECOND_MS } from "#lib/time.js";
import { type CallEnd, timeCall } from "#lib/time-call.js";
import { queueStoredFiles } from "#scans/queue-for-scan.js";
import { deleteOldDeliveries } from "#usage/delete-old-deliveries.js";
import { deleteOldRefusedRequests } from "#usage/refused-request-buffer.js";
import { deleteOldEvents } from "#webhooks/delete-old-events.js";
import type { Deliverer } from "#webhooks/deliverer.js";
import { removeVariants } from "#variants/remove-variants.js";
import type { WorkTurn } from "#work/work-queue.js";
import { fanOutEvents } from "#webhooks/fan-out-events.js";
import { endFiles } from "#files/lifecycle/end-files.js";
import { continueTenantDeletions } from "#purge/delete-tenant.js";
import { type Job, repeat } from "./repeat.js";

interface JobDefinition {
  name: string;
  /** Whether it calls storage. Then it runs once for each storage, so that one that is down holds up no other. @default false */
  usesStorage?: true;
  /** Whether it also runs while this machine's clock is wrong, because it ends, deletes and claims nothing. @default false */
  ignoresClock?: true;
  /** Pause between two runs that found little to do. 0: the job does not run in this replica. */
  intervalMs(settings: JobSettings): number;
  /** Resolves with true if more work is waiting. The next run then starts without a pause. */
  run(deps: RunDeps): Promise<boolean>;
}

/** Everything that the service does without a request. Every replica runs these jobs, and they may run at the same time. */
const definitions: JobDefinition[] = [
  {
    // Writes what requests left in memory: when keys were used, how many requests were refused and downloads signed.
    name: "buffered-writer",
    ignoresClock: true,
    intervalMs: () => 5 * SECOND_MS,
    run: async ({ buffers }) => {
      await Promise.all(buffers.map((buffer) => buffer.flush()));
      return false;
    },
  },
  {
    // Reports that this replica runs, and what it has seen.
    name: "health-reports",
    ignoresClock: true,
    intervalMs: () => REPORT_INTERVAL_MS,
    run: async ({ healthReports }) => {
      await Promise.all(healthReports.map((report) => report()));
      return false;
    },
  },
  {
    // Deletes expired sign-in data, expired idempotency keys, the histories of files that were deleted long ago, old webhooks, old jobs,
    // old statistics and what imports of access logs remember.
    name: "retention",
    intervalMs: () => HOUR_MS,
    run: async (deps) => {
      await deleteExpired(deps);
      await deleteOldRequestCounts(deps);
      await deleteOldRefusedRequests(deps);
      const hasMore = await Promise.all([
        deleteExpiredKeys(deps),
        deleteExpiredEvents(deps),
        deleteOldEvents(deps),
        deleteOldJobs(deps),
        deleteOldDeliveries(deps),
      ]);
      return hasMore.includes(true);
    },
  },
  {
    // Looks into storage for uploads that nothing has reported.
    name: "sweeper",
    usesStorage: true,
    intervalMs: ({ sweepIntervalMs }) => sweepIntervalMs,
    run: async (deps) => {
      const hasMore = await sweepUploads(deps);
      deps.signals.mark("sweep");
      return hasMore;
    },
  },
  {
    // Looks into storage for the parts of uploads by parts, completes uploads and ends their sessions.
    name: "parts-sweeper",
    usesStorage: true,
    intervalMs: ({ sweepIntervalMs }) => sweepIntervalMs,
    run: sweepParts,
  },
  {
    // Starts the deliveries of webhooks that are due, and does not wait for their receivers.
    name: "webhooks",
    intervalMs: ({ webhooksOn }) => (webhooksOn ? SECOND_MS : 0),
    run: ({ deliverer }) => deliverer.start(),
  },
  {
    // Where webhooks are off: moves their events out of the outbox, so that the log shows them.
    name: "webhook-fan-out",
    intervalMs: ({ webhooksOn }) => (webhooksOn ? 0 : SECOND_MS),
    run: fanOutEvents,
  },
  {
    // Ends files at their time: those that expire, and those whose time in the trash is over.
    name: "file-ends",
    usesStorage: true,
    intervalMs: ({ sweepIntervalMs }) => sweepIntervalMs,
    run: endFiles,
  },
  {
    // Removes the image variants whose file or preset is gone.
    name: "image-variant-removal",
    usesStorage: true,
    intervalMs: ({ sweepIntervalMs }) => sweepIntervalMs,
    run: removeVariants,
  },
  {
    // Moves public files into the public bucket, and others out of it.
    name: "file-moves",
    usesStorage: true,
    intervalMs: ({ sweepIntervalMs }) => sweepIntervalMs,
    run: (deps) => moveFiles(deps, deps.turns.moves),
  },
  {
    // Moves and deletes folders.
    name: "folder-jobs",
    usesStorage: true,
    intervalMs: ({ sweepIntervalMs }) => sweepIntervalMs,
    run: (deps) => runFolderJobs(deps, deps.turns.folderJobs),
  },
  {
    // Continues deletions of tenants.
    name: "tenant-purge",
    usesStorage: true,
    intervalMs: ({ sweepIntervalMs }) => sweepIntervalMs,
    run: (deps) => continueTenantDeletions(deps, deps.turns.tenantDeletions),
  },
  {
    // Removes the files of deleted projects.
    name: "project-purge",
    usesStorage: true,
    intervalMs: ({ sweepIntervalMs }) => sweepIntervalMs,
    run: (deps) => purgeDeletedProject(deps, deps.turns.projectPurges),
  },
  {
    // Marks the files that a project had stored before it started to scan for viruses.
    name: "scan-queue",
    intervalMs: ({ sweepIntervalMs }) => sweepIntervalMs,
    run: (deps) => queueStoredFiles(deps, deps.turns.scanQueue),
  },
];

type RunDeps = SweepDeps &
  PurgeDeletedProjectDeps & {
    store: MoveFilesDeps["store"];
    buffers: { flush(): Promise<void> }[];
    healthReports: (() => Promise<void>)[];
    signals: Pick<Signals, "mark">;
    deliverer: Pick<Deliverer, "start">;
    turns: Record<"scanQueue" | "moves" | "folderJobs" | "tenantDeletions" | "projectPurges", WorkTurn>;
  };

type JobDeps = Omit<RunDeps, "onError" | "turns" | "store" | "scope"> & {
  storages: Storages;
  clockCheck: Pick<ClockCheck, "requireRightClock">;
  /** @param storage its name; null for a job of all, and in an installation with one */
  onError: (error: unknown, jobName: string, storage: string | null) => void;
  onRunEnd?: ((jobName: string, end: CallEnd) => void) | undefined;
};

interface JobSettings {
  sweepIntervalMs: number;
  webhooksOn: boolean;
}

/** Starts the jobs that run in this replica. */
export function startJobs(deps: JobDeps, settings: JobSettings): Job[] {
  const start = () => ({ afterProject: 0 });
  const { all } = deps.storages;
  return definitions
    .filter((job) => job.intervalMs(settings) > 0)
    .flatMap((job) => (job.usesStorage ? all : [null]).map((storage) => ({ ...job, storage })))
    .map(({ name, intervalMs, run, ignoresClock, storage }) => {
      const turns = {
        scanQueue: start(),
        moves: start(),
        folderJobs: start(),
        tenantDeletions: start(),
        projectPurges: start(),
      };
      const { store } = storage ?? all[0]!;
      const scope = storage ? scopeOf(deps.storages, storage) : undefined;
      const onError = (error: unknown) => deps.onError(error, name, storage?.name ?? null);
      const runOnce = async () => {
        if (!ignoresClock) await deps.clockCheck.requireRightClock();
        return run({ ...deps, store, scope, turns, onError });
      };
      const timedRun = () => timeCall(runOnce, (end) => deps.onRunEnd?.(name, end));
      return repeat(timedRun, intervalMs(settings), onError);
    });
}
