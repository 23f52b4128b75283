import { snakeKeys } from "@stowage/schemas";
import { type Command, Option } from "commander";
import { ConfigError, type Environment } from "#settings/parse-settings.js";
import { findProjectByRef } from "#projects/find-project.js";
import { sumUsage } from "#projects/sum-usage.js";
import { listTenants } from "#tenants/list-tenants.js";
import { readUsage, type Usage } from "#tenants/read-usage.js";
import { count } from "./arguments.js";
import { type CommonOptions, createCommand, withDatabase } from "./command.js";
import { bytesOr, printJson, printTable } from "./print.js";

interface Options extends CommonOptions {
  project?: string;
  tenant?: string;
  limit: number;
}

/** `stowage usage` */
export function usageCommand(env: Environment): Command {
  return createCommand(
    "usage",
    "print the stored and reserved bytes of each project, or of one project's tenants",
  )
    .option("--project <ref>", "print this project's tenants, largest first")
    .option("--tenant <tenant_id>", "print only this tenant of the project")
    .addOption(new Option("--limit <n>", "largest number of tenants").argParser(count).default(100))
    .action(async (options: Options) => {
      const { project, tenant } = options;
      if (project === undefined && tenant !== undefined) {
        throw new ConfigError(
          "--tenant needs --project, because several projects may use the same tenant_id.",
        );
      }
      return project === undefined
        ? printProjectUsage(env, options)
        : printTenantUsage(env, project, options);
    });
}

async function printProjectUsage(env: Environment, options: Options): Promise<void> {
  const projects = await withDatabase(env, sumUsage);
  if (options.json) {
    return printJson(projects.map(({ ref, ...usage }) => ({ project_ref: ref, ...snakeKeys(usage) })));
  }
  printTable(
    ["PROJECT", "TENANTS", "FILES", "USED", "RESERVED", "NAME"],
    projects.map((project) => [
      project.ref,
      project.tenantCount,
      project.fileCount,
      project.usedBytes,
      project.reservedBytes,
      project.name,
    ]),
  );
}

async function printTenantUsage(env: Environment, ref: string, options: Options): Promise<void> {
  const { tenant, limit } = options;
  const tenants = await withDatabase(env, async (deps) => {
    const project = await findProjectByRef(deps, ref);
    if (tenant === undefined) {
      return (await listTenants(deps, project, { sort: "used_bytes", limit })).tenants;
    }
    return [{ tenantId: tenant, ...(await readUsage(deps, project, { tenantId: tenant })) }];
  });
  if (options.json) return printJson(tenants.map(toJson));
  printTable(
    ["FILES", "USED", "RESERVED", "QUOTA", "TENANT"],
    tenants.map((tenant) => [
      tenant.fileCount,
      tenant.usedBytes,
      tenant.reservedBytes,
      bytesOr("none", tenant.quotaBytes),
      tenant.tenantId,
    ]),
  );
}

function toJson({ tenantId, fileCount, usedBytes, reservedBytes, ...limits }: Usage & { tenantId: string }) {
  const { quotaBytes, plan, maxFiles, maxOpenUploads, uploadsPerMinute } = limits;
  const shown = { quotaBytes, plan, maxFiles, maxOpenUploads, uploadsPerMinute };
  return snakeKeys({ tenantId, fileCount, usedBytes, reservedBytes, ...shown });
}
