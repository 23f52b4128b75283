import type { Registry } from "prom-client";
import type { CallEnd } from "#lib/time-call.js";
import { addGauge, addHistogram } from "./families.js";

const SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60];

/** Runs of the jobs of this process. */
export function addJobMetrics(registry: Registry, { clock }: { clock: () => Date }) {
  const runs = addHistogram(registry, {
    name: "stowage_job_run_duration_seconds",
    help: "Runs of a job by outcome, ok or error. A failed run is repeated.",
    labelNames: ["job_name", "outcome"] as const,
    buckets: SECONDS,
  });
  const lastSuccess = addGauge(registry, {
    name: "stowage_job_last_success_timestamp_seconds",
    help: "When a run of a job of this process last succeeded, as Unix time.",
    labelNames: ["job_name"] as const,
  });
  const known = new Set<string>();
  return {
    onRunEnd(job_name: string, { seconds, error }: CallEnd): void {
      // An alert sees the first failure of a job only if it was 0 before.
      if (!known.has(job_name)) for (const outcome of ["ok", "error"]) runs.zero({ job_name, outcome });
      known.add(job_name);
      runs.observe({ job_name, outcome: error === undefined ? "ok" : "error" }, seconds);
      if (error === undefined) lastSuccess.set({ job_name }, clock().getTime() / 1000);
    },
  };
}
