import { readFileSync } from "node:fs";
import { snakeKeys, tenantId } from "@stowage/schemas";
import type { Command } from "commander";
import { composeReconcileCommand } from "#compose-cli.js";
import { ConfigError, type Environment } from "#settings/parse-settings.js";
import { readConfig } from "#config.js";
import type { Owners } from "#reconcile/adopt-orphan.js";
import type { Counters, Drift, FolderSums } from "#reconcile/drift.js";
import type { ReconcileFinding } from "#reconcile/reconcile.js";
import { createClockCheck } from "#health/clock-check.js";
import { reconcileStorages } from "#reconcile/reconcile-storages.js";
import { type CommonOptions, createCommand, withDeps } from "./command.js";
import { printJson, visible } from "./print.js";

interface Options extends CommonOptions {
  project?: string;
  repair?: true;
  deleteOrphans?: true;
  afterRestore?: true;
  owners?: string;
}

const EXIT_CODE_DRIFT_LEFT = 2;
const KIND_WIDTH = "unknown_upload".length;

interface Summary {
  drifts: number;
  mended: number;
  left: number;
}

/** `stowage reconcile`: exits with 0 if no drift is left, otherwise with 2. */
export function reconcileCommand(env: Environment): Command {
  return createCommand(
    "reconcile",
    "compare the database's counters, its files and the bucket, and print the drift",
  )
    .option("--project <ref>", "check only this project")
    .option("--repair", "repair the drift where possible")
    .option(
      "--delete-orphans",
      "with --repair: remove objects older than two days that have no file in the database",
    )
    .option(
      "--after-restore",
      "the database was restored from a backup: with --repair, give orphans their files back and let no file end at once",
    )
    .option(
      "--owners <file>",
      "with --after-restore: tenants that the database lacks, a line for each: its part of the paths, a space, its tenant_id",
    )
    .action(async (options: Options) => {
      if (options.deleteOrphans && !options.repair) throw new ConfigError("--delete-orphans needs --repair.");
      if (options.deleteOrphans && options.afterRestore)
        throw new ConfigError("--after-restore keeps every orphan: run without --delete-orphans.");
      if (options.owners !== undefined && !options.afterRestore)
        throw new ConfigError("--owners needs --after-restore.");
      const owners = options.owners === undefined ? new Map() : readOwners(options.owners);
      const summary: Summary = { drifts: 0, mended: 0, left: 0 };
      await withDeps(composeReconcileCommand(readConfig(env)), async (deps) => {
        // It judges by the age of objects and files what it removes.
        if (options.repair) await createClockCheck(deps).requireRightClock();
        const onMoving = (ref: string) => {
          if (options.json) printJson({ moving: ref });
          else console.log(`project ${ref} moves to another storage and is not compared`);
        };
        const findings = reconcileStorages(
          { ...deps, onMoving },
          {
            projectRef: options.project ?? null,
            repair: options.repair ?? false,
            deleteOrphans: options.deleteOrphans ?? false,
            afterRestore: options.afterRestore ? { owners } : null,
          },
        );
        for await (const finding of findings) {
          summary.drifts++;
          summary[finding.repaired?.outcome === "mended" ? "mended" : "left"]++;
          if (options.json) printJson(toJson(finding));
          else console.log(toLine(finding));
        }
      });
      if (options.json) printJson({ summary });
      else console.log(toSentence(summary, options));
      if (summary.left > 0) process.exitCode = EXIT_CODE_DRIFT_LEFT;
    });
}

/** @throws {ConfigError} if the file cannot be read, or a line is none of the format */
function readOwners(file: string): Owners {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(`--owners: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const lines = text.split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line, index) => {
      const [, ref, id] = /^([0-9A-Za-z]{22}) (.+)$/.exec(line) ?? [];
      const parsed = tenantId.safeParse(id);
      if (!ref || !parsed.success)
        throw new ConfigError(`--owners: line ${index + 1} of ${file} is not "<22 characters> <tenant_id>".`);
      return [ref, parsed.data];
    }),
  );
}

function toSentence(summary: Summary, options: Options): string {
  if (summary.drifts === 0) return "No drift: counters, files and bucket agree.";
  const hint = options.repair ? "" : " Use --repair to repair it.";
  return `${summary.drifts} found, ${summary.mended} repaired, ${summary.left} left.${hint}`;
}

function toLine({ drift, repaired }: ReconcileFinding): string {
  const where =
    "tenantId" in drift
      ? `project ${drift.projectRef}, tenant ${visible(drift.tenantId)}`
      : visible(drift.path);
  return `${drift.kind.padEnd(KIND_WIDTH)}  ${where}: ${describeDrift(drift)}${describeRepair(repaired)}`;
}

function describeRepair(repaired: ReconcileFinding["repaired"]): string {
  if (repaired === null) return "";
  return repaired.outcome === "mended" ? ` → repaired: ${repaired.how}` : ` → kept: ${repaired.why}`;
}

function describeDrift(drift: Drift): string {
  switch (drift.kind) {
    case "counters":
      return `recorded as ${describeCounters(drift.recorded)}, but its files add up to ${describeCounters(drift.actual)}`;
    case "days":
      return `its daily usage adds up to ${describeFiles(drift.recorded)}, but its files to ${describeFiles(drift.actual)}`;
    case "folders":
      return `its folders are recorded as ${describeFolders(drift.recorded)}, but are ${describeFolders(drift.actual)}, or single ones differ`;
    case "missing":
      return `recorded as stored with ${drift.recordedBytes} bytes, but not in the bucket`;
    case "misplaced":
      return `has an object in the ${drift.found} bucket, where it does not belong`;
    case "missing_variant":
      return `an image variant of ${drift.recordedBytes} bytes that is not in the bucket`;
    case "size":
      return `recorded with ${drift.recordedBytes} bytes, but has ${drift.foundBytes} in the bucket`;
    case "bytes":
      return `${drift.recordedBytes} bytes as recorded, but other ones than those that were recorded`;
    case "ending":
      return `ends at ${drift.endsAt.toISOString()}`;
    case "unsettled":
      return `recorded as ${drift.status}, but ${drift.foundBytes} bytes are in the bucket`;
    case "orphan":
      return `${drift.foundBytes} bytes in the bucket, last modified ${drift.lastModified.toISOString()}, without a file in the database`;
    case "unknown_upload":
      return `a multipart upload of ${drift.startedAt.toISOString()} that no file in the database knows`;
    case "lost_upload":
      return "waits for parts of a multipart upload that storage does not know";
  }
}

function describeCounters({ usedBytes, reservedBytes, fileCount }: Counters): string {
  return `${usedBytes} used, ${reservedBytes} reserved, ${fileCount} files`;
}

function describeFiles({ usedBytes, fileCount }: Omit<Counters, "reservedBytes">): string {
  return `${usedBytes} bytes in ${fileCount} files`;
}

function describeFolders({ folders, files, bytes }: FolderSums): string {
  return `${folders} with ${bytes} bytes in ${files} places of files`;
}

function toJson({ drift, repaired }: ReconcileFinding) {
  const { kind, ...members } = drift;
  const counters =
    "tenantId" in drift ? { recorded: snakeKeys(drift.recorded), actual: snakeKeys(drift.actual) } : {};
  return { drift: kind, ...snakeKeys(members), ...counters, repaired };
}
