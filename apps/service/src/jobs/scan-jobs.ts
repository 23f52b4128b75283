import type { Signals } from "#health/signals.js";
import { SECOND_MS } from "#lib/time.js";
import { scanNextFile, type ScanWorkerDeps } from "#scans/scan-worker.js";
import { type Job, repeat } from "./repeat.js";

/** How many files one worker scans at the same time. */
const MAX_CONCURRENT_SCANS = 2;
/** The pause while no file waits for its scan. */
const IDLE_MS = SECOND_MS;
const REPORT_INTERVAL_MS = 10 * SECOND_MS;

/** Starts what `stowage worker` does. Several workers may run at the same time. */
export function startScanJobs(
  deps: Omit<ScanWorkerDeps, "stopping" | "signals"> & { signals: Signals },
): Job {
  const stopping = new AbortController();
  const turn = { afterProject: 0 };
  const scan = () => scanNextFile({ ...deps, stopping: stopping.signal }, turn);
  const report = async () => {
    await deps.signals.flush();
    return false;
  };
  const jobs = [
    ...Array.from({ length: MAX_CONCURRENT_SCANS }, () => repeat(scan, IDLE_MS, deps.onError)),
    repeat(report, REPORT_INTERVAL_MS, deps.onError),
  ];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
