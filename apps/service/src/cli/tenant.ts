import { pipeline } from "node:stream/promises";
import { parse, setLimitsRequest, snakeKeys, StowageError } from "@stowage/schemas";
import { Command } from "commander";
import { commandLineActor } from "#audit/caller.js";
import { composeStorageCommands } from "#compose-cli.js";
import { ConfigError, type Environment } from "#settings/parse-settings.js";
import { readConfig } from "#config.js";
import { toNdjson } from "#lib/ndjson.js";
import { findProjectByRef } from "#projects/find-project.js";
import { deleteTenant, MAX_COUNTED, type TenantDeletion } from "#purge/delete-tenant.js";
import { exportTenant } from "#deliver/export-tenant.js";
import { changeLimits } from "#tenants/change-limits.js";
import { readTenant } from "#tenants/read-tenant.js";
import { actorOf, createCommandOfProject, type ProjectOptions, withDatabase, withDeps } from "./command.js";
import { type LimitOptions, noneToNull, withLimitOptions } from "./limit-options.js";
import { bytesOr, printJson, printTable, visible } from "./print.js";

/** `stowage tenant …` */
export function tenantCommand(env: Environment): Command {
  return new Command("tenant")
    .description("set limits of tenants, delete tenants with all they have, and export what is known of them")
    .addCommand(setCommand(env))
    .addCommand(deleteCommand(env))
    .addCommand(exportCommand(env));
}

interface SetOptions extends ProjectOptions, LimitOptions {
  plan?: string;
}

function setCommand(env: Environment): Command {
  const command = createTenantCommand(
    "set",
    "set limits of a tenant, or its plan; what you omit stays as it is",
  );
  return withLimitOptions(command, "the plan's")
    .option("--plan <name>", 'its plan, or "none"')
    .action(async (tenantId: string, { project: ref, json, plan, ...options }: SetOptions) => {
      const input = parse(setLimitsRequest, {
        tenant_id: tenantId,
        quota_bytes: noneToNull(options.quotaBytes),
        max_files: noneToNull(options.maxFiles),
        max_open_uploads: noneToNull(options.maxOpenUploads),
        uploads_per_minute: noneToNull(options.uploadsPerMinute),
        plan: noneToNull(plan),
      });
      const tenant = await withDatabase(env, async (deps) =>
        changeLimits(deps, await actorOf(deps, ref), input),
      );
      if (json) return printJson(snakeKeys(tenant));
      printTable(
        ["PLAN", "QUOTA", "FILES", "OPEN UPLOADS", "UPLOADS PER MINUTE", "TENANT"],
        [
          [
            tenant.plan ?? "none",
            bytesOr("none", tenant.quotaBytes),
            bytesOr("none", tenant.maxFiles),
            bytesOr("none", tenant.maxOpenUploads),
            bytesOr("none", tenant.uploadsPerMinute),
            tenantId,
          ],
        ],
      );
    });
}

interface DeleteOptions extends ProjectOptions {
  yes?: true;
}

const EXIT_CODE_FILES_LEFT = 2;

function deleteCommand(env: Environment): Command {
  return createTenantCommand(
    "delete",
    "delete a tenant with all its files, for good, also those in the trash",
  )
    .option("--yes", "really delete it; without this option the command only says what it would delete")
    .action(async (tenantId: string, { project: ref, yes, json }: DeleteOptions) => {
      const left = await withDeps(composeStorageCommands(readConfig(env)), async (deps) => {
        const project = await findProjectByRef(deps, ref);
        const { store } = await deps.storages.of(project.id);
        const step = () => deleteTenant({ ...deps, store }, project, tenantId, commandLineActor);
        if (yes) return deleteInSteps(step);
        const { fileCount, usedBytes } = await readTenant(deps, project, { tenantId });
        throw new ConfigError(
          `This deletes ${fileCount === 1 ? "1 file" : `${fileCount} files`} with ${usedBytes} bytes for good. Repeat it with --yes.`,
        );
      });
      if (json) printJson({ tenant_id: tenantId, remaining_files: left });
      else if (left === 0) console.log(`The tenant ${visible(tenantId)} was deleted.`);
      else
        console.log(
          `${left < MAX_COUNTED ? left : `At least ${left}`} files are left, which storage did not remove yet. The service continues.`,
        );
      if (left > 0) process.exitCode = EXIT_CODE_FILES_LEFT;
    });
}

/** A step may also delete rows other than files, a few thousand at a time. Without storage no step makes progress. */
const MAX_STEPS_WITHOUT_PROGRESS = 20;
/** From the largest count on, the count does not show progress. */
const MAX_STEPS_AT_LARGEST_COUNT = 500;

/** @returns how many files are left */
export async function deleteInSteps(step: () => Promise<TenantDeletion>): Promise<number> {
  const maxIdleSteps = () => (left < MAX_COUNTED ? MAX_STEPS_WITHOUT_PROGRESS : MAX_STEPS_AT_LARGEST_COUNT);
  let { remainingFiles: left } = await step();
  for (let idleSteps = 0; left > 0 && idleSteps < maxIdleSteps();) {
    const leftNow = await nextStep(step);
    idleSteps = leftNow < left ? 0 : idleSteps + 1;
    left = leftNow;
  }
  return left;
}

/** The service may finish the deletion between two steps. Then there is no tenant any more. */
async function nextStep(step: () => Promise<TenantDeletion>): Promise<number> {
  try {
    return (await step()).remainingFiles;
  } catch (error) {
    if (error instanceof StowageError && error.code === "tenant_not_found") return 0;
    throw error;
  }
}

interface ExportOptions extends ProjectOptions {
  after?: string;
}

function exportCommand(env: Environment): Command {
  return createTenantCommand("export", "print what is known of a tenant, one JSON value a line")
    .option("--after <cursor>", "continue after the line with this cursor")
    .action(async (tenantId: string, { project: ref, after }: ExportOptions) => {
      await withDeps(composeStorageCommands(readConfig(env)), async (deps) => {
        const project = await findProjectByRef(deps, ref);
        const { store } = await deps.storages.of(project.id);
        const reading = { ...deps, store, settling: { ...deps, store } };
        const lines = await exportTenant(reading, project, { tenantId, after }, commandLineActor);
        await pipeline(toNdjson(lines), process.stdout, { end: false });
      });
    });
}

function createTenantCommand(name: string, description: string): Command {
  return createCommandOfProject(name, description, "tenant").argument("<tenant_id>", "your ID of the tenant");
}
