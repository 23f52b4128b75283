import { snakeKeys } from "@stowage/schemas";
import type { Command } from "commander";
import { composeReconcile } from "#compose.js";
import { ConfigError, type Environment, readConfig } from "#config.js";
import type { Counters, Drift } from "#reconcile/drift.js";
import { reconcile, type ReconcileFinding } from "#reconcile/reconcile.js";
import { type CommonOptions, operatorCommand, using } from "./operate.js";
import { printJson, visible } from "./print.js";

interface Options extends CommonOptions {
  project?: string;
  repair?: true;
  deleteOrphans?: true;
}

const DRIFT_LEFT = 2;

/** `stowage reconcile`: 0 when nothing drifts (any more), 2 when something does. */
export function reconcileCommand(env: Environment): Command {
  return operatorCommand("reconcile", "recount from the rows, compare with the bucket, print the drift")
    .option("--project <ref>", "this project alone")
    .option("--repair", "mend what can be mended")
    .option("--delete-orphans", "with --repair: remove objects older than two days that no row knows")
    .action(async (options: Options) => {
      if (options.deleteOrphans && !options.repair) throw new ConfigError("--delete-orphans needs --repair.");
      const summary = { drifts: 0, mended: 0, left: 0 };
      await using(composeReconcile(readConfig(env)), async (deps) => {
        const findings = reconcile(deps, {
          projectRef: options.project ?? null,
          repair: options.repair ?? false,
          deleteOrphans: options.deleteOrphans ?? false,
        });
        for await (const finding of findings) {
          summary.drifts++;
          summary[finding.repaired?.outcome === "mended" ? "mended" : "left"]++;
          if (options.json) printJson(toJson(finding));
          else console.log(toLine(finding));
        }
      });
      if (options.json) printJson({ summary });
      else console.log(toSentence(summary, options));
      if (summary.left > 0) process.exitCode = DRIFT_LEFT;
    });
}

function toSentence(summary: { drifts: number; mended: number; left: number }, options: Options): string {
  if (summary.drifts === 0) return "No drift: counters, files and bucket agree.";
  const hint = options.repair ? "" : " --repair mends what can be mended.";
  return `${summary.drifts} found, ${summary.mended} mended, ${summary.left} left.${hint}`;
}

function toLine({ drift, repaired }: ReconcileFinding): string {
  const where =
    "tenantId" in drift
      ? `project ${drift.projectRef}, tenant ${visible(drift.tenantId)}`
      : visible(drift.path);
  const then =
    repaired === null
      ? ""
      : ` → ${repaired.outcome}: ${repaired.outcome === "mended" ? repaired.how : repaired.why}`;
  return `${drift.kind.padEnd(9)}  ${where}: ${describe(drift)}${then}`;
}

function describe(drift: Drift): string {
  switch (drift.kind) {
    case "counters":
      return `recorded ${describeCounters(drift.recorded)}, but its files add up to ${describeCounters(drift.actual)}`;
    case "days":
      return `its days add up to ${describeFiles(drift.recorded)}, but its files to ${describeFiles(drift.actual)}`;
    case "missing":
      return `recorded as stored with ${drift.recordedBytes} bytes, but not in the bucket`;
    case "size":
      return `recorded with ${drift.recordedBytes} bytes, but ${drift.foundBytes} in the bucket`;
    case "unsettled":
      return `${drift.status}, but ${drift.foundBytes} bytes are in the bucket`;
    case "orphan":
      return `${drift.foundBytes} bytes of ${drift.lastModified.toISOString()} in the bucket that no row knows`;
  }
}

function describeCounters({ usedBytes, reservedBytes, fileCount }: Counters): string {
  return `${usedBytes} used, ${reservedBytes} reserved, ${fileCount} files`;
}

function describeFiles({ usedBytes, fileCount }: Omit<Counters, "reservedBytes">): string {
  return `${usedBytes} bytes in ${fileCount} files`;
}

function toJson({ drift, repaired }: ReconcileFinding) {
  const { kind, ...members } = drift;
  const counters =
    "tenantId" in drift ? { recorded: snakeKeys(drift.recorded), actual: snakeKeys(drift.actual) } : {};
  return { drift: kind, ...snakeKeys(members), ...counters, repaired };
}
