import {
  type MetersQuery,
  metersQuery,
  type Operation,
  operations,
  parse,
  snakeKeys,
} from "@stowage/schemas";
import { Command } from "commander";
import type { Environment } from "#settings/parse-settings.js";
import { tableText } from "#lib/table-text.js";
import { findProjectByRef, type Project } from "#projects/find-project.js";
import { readDailyUsage, readMonthlyUsage } from "#tenants/read-meters.js";
import { createCommandOfProject, type ProjectOptions, withDatabase } from "./command.js";
import { printJson, printTable } from "./print.js";

/** `stowage meter …` */
export function meterCommand(env: Environment): Command {
  return new Command("meter")
    .description("print what a project or a tenant has used, for bills")
    .addCommand(printCommand(env, "daily", operations.readDailyUsage, readDailyUsage))
    .addCommand(printCommand(env, "monthly", operations.readMonthlyUsage, readMonthlyUsage));
}

interface Options extends ProjectOptions {
  tenant?: string;
  from?: string;
  to?: string;
  csv?: true;
}

type Deps = Parameters<typeof readDailyUsage>[0];

function printCommand(
  env: Environment,
  name: string,
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
      const rows = meters.map((row) => snakeKeys(row) as Record<string, string | number>);
      if (json) return printJson(rows);
      if (csv) return void process.stdout.write(tableText("csv", columns, rows));
      printTable(
        columns.map((column) => column.replaceAll("_", " ").toUpperCase()),
        rows.map((row) => columns.map((column) => row[column]!)),
      );
    });
}
