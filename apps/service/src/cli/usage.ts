import { snakeKeys } from "@stowage/schemas";
import { type Command, Option } from "commander";
import { ConfigError, type Environment } from "#config.js";
import { sumUsage } from "#projects/sum-usage.js";
import { findProjectByRef } from "#projects/find-project.js";
import { listTenants } from "#tenants/list-tenants.js";
import { readUsage, type Usage } from "#tenants/read-usage.js";
import { count } from "./arguments.js";
import { type CommonOptions, operatorCommand, withDatabase } from "./operate.js";
import { bytesOr, printJson, printTable } from "./print.js";

interface Options extends CommonOptions {
  project?: string;
  tenant?: string;
  limit: number;
}

/** `stowage usage`: every project; with `--project`, its tenants. */
export function usageCommand(env: Environment): Command {
  return operatorCommand("usage", "bytes stored and reserved, by project or by tenant")
    .option("--project <ref>", "its tenants, those that use most first")
    .option("--tenant <tenant_id>", "this tenant of the project alone")
    .addOption(new Option("--limit <n>", "how many tenants").argParser(count).default(100))
    .action(async (options: Options) => {
      const { project, tenant } = options;
      if (project === undefined && tenant !== undefined)
        throw new ConfigError("--tenant needs --project: the same tenant_id may be in several.");
      return project === undefined
        ? printProjectUsage(env, options)
        : printTenantUsage(env, project, options);
    });
}

async function printProjectUsage(env: Environment, options: Options): Promise<void> {
  const all = await withDatabase(env, sumUsage);
  if (options.json)
    return printJson(all.map(({ ref, ...usage }) => ({ project_ref: ref, ...snakeKeys(usage) })));
  printTable(
    ["PROJECT", "TENANTS", "FILES", "USED", "RESERVED", "NAME"],
    all.map((it) => [it.ref, it.tenantCount, it.fileCount, it.usedBytes, it.reservedBytes, it.name]),
  );
}

async function printTenantUsage(env: Environment, ref: string, options: Options): Promise<void> {
  const { tenant, limit } = options;
  const all = await withDatabase(env, async (deps) => {
    const project = await findProjectByRef(deps, ref);
    if (tenant !== undefined)
      return [{ tenantId: tenant, ...(await readUsage(deps, project, { tenantId: tenant })) }];
    return (await listTenants(deps, project, { sort: "used_bytes", limit })).tenants;
  });
  if (options.json) return printJson(all.map(toJson));
  printTable(
    ["FILES", "USED", "RESERVED", "QUOTA", "TENANT"],
    all.map((it) => [
      it.fileCount,
      it.usedBytes,
      it.reservedBytes,
      bytesOr("none", it.quotaBytes),
      it.tenantId,
    ]),
  );
}

function toJson({ tenantId, fileCount, usedBytes, reservedBytes, quotaBytes }: Usage & { tenantId: string }) {
  return snakeKeys({ tenantId, fileCount, usedBytes, reservedBytes, quotaBytes });
}
