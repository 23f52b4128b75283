import { scanVerdicts } from "@stowage/schemas";
import type { Registry } from "prom-client";
import { timeCall } from "#lib/time-call.js";
import type { Scanner } from "#scans/scanner.js";
import { addHistogram } from "./families.js";

const SECONDS = [0.05, 0.25, 1, 5, 15, 60, 300, 600];

/** Virus scans of this worker. */
export function addScanMetrics(registry: Registry) {
  const scans = addHistogram(registry, {
    name: "stowage_scan_duration_seconds",
    help: "Scans of files by their verdict, or failed. They include the time to read the file from storage.",
    labelNames: ["outcome"] as const,
    buckets: SECONDS,
  });
  for (const outcome of [...scanVerdicts, "failed"]) scans.zero({ outcome });
  return {
    watchScanner: ({ ping, scan }: Scanner): Scanner => ({
      ping,
      async scan(bytes, signal) {
        let outcome: string = "failed";
        const watched = async () => {
          const result = await scan(bytes, signal);
          outcome = result.verdict;
          return result;
        };
        return timeCall(watched, ({ seconds }) => scans.observe({ outcome }, seconds));
      },
    }),
  };
}
