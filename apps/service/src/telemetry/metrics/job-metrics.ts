import { Gauge, Histogram, type Registry } from "prom-client";
import type { CallEnd } from "#lib/time-call.js";

const SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60];

/** Runs of the jobs of this process. */
export function addJobMetrics(registry: Registry, { clock }: { clock: () => Date }) {
  const runs = new Histogram({
    name: "stowage_job_run_duration_seconds",
    help: "Runs of a job by outcome, ok or error. A failed run is repeated.",
    labelNames: ["job_name", "outcome"] as const,
    buckets: SECONDS,
    registers: [registry],
  });
  const lastSuccess = new Gauge({
    name: "stowage_job_last_success_timestamp_seconds",
    help: "When a run of a job of this process last succeeded, as Unix time.",
    labelNames: ["job_name"] as const,
    registers: [registry],
  });
  return {
    onRunEnd(job_name: string, { seconds, error }: CallEnd): void {
      runs.observe({ job_name, outcome: error === undefined ? "ok" : "error" }, seconds);
      if (error === undefined) lastSuccess.set({ job_name }, clock().getTime() / 1000);
    },
  };
}
