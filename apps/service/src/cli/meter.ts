import {
  type MetersQuery,
  metersQuery,
  type Operation,
  operations,
  parse,
  snakeKeys,
} from "@stowage/schemas";
import { Command, Option } from "commander";
import type { Environment } from "#settings/parse-settings.js";
import { readLines, UnreadableFileError } from "#lib/read-lines.js";
import { tableText } from "#lib/table-text.js";
import { findProjectByRef, type Project } from "#projects/find-project.js";
import { readDailyUsage, readMonthlyUsage } from "#tenants/read-meters.js";
import { type LogFormat, logFormats } from "#usage/access-logs.js";
import { importLog, type ImportedLog, WrongLogFormatError } from "#usage/import-log.js";
import {
  type CommonOptions,
  createCommand,
  createCommandOfProject,
  type ProjectOptions,
  withDatabase,
} from "./command.js";
import { printJson, printTable, visible } from "./print.js";

/** `stowage meter …` */
export function meterCommand(env: Environment): Command {
  return new Command("meter")
    .description("print what a project or a tenant has used, for bills, and read access logs for it")
    .addCommand(createPrintCommand("daily", env, operations.readDailyUsage, readDailyUsage))
    .addCommand(createPrintCommand("monthly", env, operations.readMonthlyUsage, readMonthlyUsage))
    .addCommand(importCommand(env));
}

interface Options extends ProjectOptions {
  tenant?: string;
  from?: string;
  to?: string;
  csv?: true;
}

type Deps = Parameters<typeof readDailyUsage>[0];

function createPrintCommand(
  name: string,
  env: Environment,
  { table }: Operation,
  read: (deps: Deps, project: Project, query: MetersQuery) => Promise<object[]>,
): Command {
  const { columns } = table!;
  return createCommandOfProject(name, `print the ${name} usage`, "usage")
    .option("--tenant <tenant_id>", "only this tenant")
    .option("--from <day>", "first day in UTC, such as 2026-01-31 (default: the first of the month)")
    .option("--to <day>", "last day in UTC (default: today)")
    .option("--csv", "print CSV")
    .action(async ({ project: ref, tenant, from, to, json, csv }: Options) => {
      const query = parse(metersQuery, { tenant_id: tenant, from, to });
      const meters = await withDatabase(env, async (deps) =>
        read(deps, await findProjectByRef(deps, ref), query),
      );
      const rows = meters.map((row) => snakeKeys(row) as Record<string, string | number | null>);
      if (json) return printJson(rows);
      if (csv) return void process.stdout.write(tableText("csv", columns, rows));
      printTable(
        columns.map((column) => column.replaceAll("_", " ").toUpperCase()),
        rows.map((row) => columns.map((column) => row[column] ?? "unknown")),
      );
    });
}

interface ImportOptions extends CommonOptions {
  format: LogFormat;
  server: string;
}

/** Goes on after a file that cannot be counted, and then makes the process exit with 1. */
function importCommand(env: Environment): Command {
  return createCommand(
    "import-logs",
    "count the bytes that access logs of storage or a CDN say were downloaded",
  )
    .argument("<file...>", "logs; those named .gz are decompressed")
    .addOption(new Option("--format <format>", "who wrote them").choices(logFormats).makeOptionMandatory())
    .option("--server <name>", "which server wrote them, if several write logs of the format nginx", "")
    .action((files: string[], { format, server, json }: ImportOptions) =>
      withDatabase(env, async (deps) => {
        for (const file of files) {
          try {
            const imported = await readLines(file, (lines) => importLog(deps, { format, server }, lines));
            if (json) printJson({ file, ...snakeKeys(imported) });
            else console.log(`${visible(file)}: ${countsOf(imported)}`);
          } catch (error) {
            if (!(error instanceof UnreadableFileError || error instanceof WrongLogFormatError)) throw error;
            console.error(`${visible(file)} ${error.message}. Nothing of it was counted.`);
            process.exitCode = 1;
          }
        }
      }),
    );
}

function countsOf({ lines, unreadLines, oldDownloads, downloads, bytes, newBytes }: ImportedLog): string {
  const counts = [`downloads ${downloads}`, `bytes ${bytes}`, `new bytes ${newBytes}`, `lines ${lines}`];
  if (unreadLines > 0) counts.push(`lines of another format ${unreadLines}`);
  if (oldDownloads > 0) counts.push(`not counted, because older than 90 days ${oldDownloads}`);
  return counts.join(", ");
}
