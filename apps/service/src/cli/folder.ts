import { deleteFolderRequest, readJobQuery, moveFolderRequest, parse, snakeKeys } from "@stowage/schemas";
import { Command } from "commander";
import { readJob } from "#files/organise/folder-jobs.js";
import { changeFolderAudited, type NewJob } from "#files/organise/start-folder-job.js";
import { findProjectByRef } from "#projects/find-project.js";
import type { Environment } from "#settings/parse-settings.js";
import { actorOf, createCommandOfProject, type ProjectOptions, withDatabase } from "./command.js";
import { printJson } from "./print.js";

/** `stowage folder …` */
export function folderCommand(env: Environment): Command {
  return new Command("folder")
    .description("move and delete folders, by jobs of the service")
    .addCommand(moveCommand(env))
    .addCommand(deleteCommand(env))
    .addCommand(jobCommand(env));
}

interface TenantOptions extends ProjectOptions {
  tenant: string;
}

function moveCommand(env: Environment): Command {
  return createFolderCommand("move", "give a folder another name")
    .argument("<from>")
    .argument("<to>", 'its new name, such as "reports/2026"; "" moves its contents to the root')
    .action((from: string, to: string, { tenant: tenant_id, ...options }: TenantOptions) =>
      start(env, options, parse(moveFolderRequest, { tenant_id, from, to })),
    );
}

function deleteCommand(env: Environment): Command {
  return createFolderCommand("delete", "delete the files in a folder and below it")
    .argument("<folder>")
    .action((folder: string, { tenant: tenant_id, ...options }: TenantOptions) => {
      const { tenantId, folder: from } = parse(deleteFolderRequest, { tenant_id, folder });
      return start(env, options, { tenantId, from, to: null });
    });
}

function createFolderCommand(name: string, description: string): Command {
  return createCommandOfProject(name, description, "folder").requiredOption(
    "--tenant <tenant_id>",
    "your ID of the tenant",
  );
}

async function start(env: Environment, { project, json }: ProjectOptions, change: NewJob): Promise<void> {
  const started = await withDatabase(env, async (deps) =>
    changeFolderAudited(deps, await actorOf(deps, project), change),
  );
  if (json) return printJson(snakeKeys(started));
  console.log(`The service works on it: stowage folder job ${started.jobId} --project ${project}`);
}

function jobCommand(env: Environment): Command {
  return createCommandOfProject("job", "tell how far a job is", "job")
    .argument("<job_id>")
    .action(async (job_id: string, { project, json }: ProjectOptions) => {
      const query = parse(readJobQuery, { job_id });
      const job = await withDatabase(env, async (deps) =>
        readJob(deps, await findProjectByRef(deps, project), query),
      );
      if (json) return printJson(snakeKeys(job));
      const { state, done, total, kept } = job;
      console.log(`${state}: ${done} of ${total} files${kept > 0 ? `; ${kept} had to stay` : ""}`);
    });
}
