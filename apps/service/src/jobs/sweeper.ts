import { sweepUploads, type SweepDeps } from "#files/settle/sweep-uploads.js";
import { type Job, repeat } from "./repeat.js";

/**
 * Sweeps for as long as the service runs.
 *
 * @param intervalMs between two sweeps that found little to do
 */
export function startSweeper(deps: SweepDeps, intervalMs: number): Job {
  return repeat(() => sweepUploads(deps), intervalMs, deps.onError);
}
