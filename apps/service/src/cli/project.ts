import { limits, snakeKeys } from "@stowage/schemas";
import { type ScanSetting, scanSettings } from "@stowage/operator-schemas";
import { Command, Option } from "commander";
import { changeProject } from "#members/change-project.js";
import { createProjectWithoutOwner } from "#members/create-owned-project.js";
import { replaceKeyUnconfirmed } from "#members/project-key.js";
import { retryVariantsOfProject } from "#images/retry-variants.js";
import { commandLineActor } from "#audit/caller.js";
import { composeMoveCommand } from "#compose-cli.js";
import { ConfigError, type Environment } from "#settings/parse-settings.js";
import { readStorageNames } from "#settings/storage-config.js";
import { readConfig } from "#config.js";
import type { ProjectWithKey } from "#projects/create-project.js";
import { hasProject } from "#projects/find-project.js";
import { listProjects, type ProjectSummary } from "#projects/list-projects.js";
import { chooseStorage } from "#projects/storages.js";
import { type MoveOutcome, type MoveProgress, moveProject } from "#relocate/move-project.js";
import { rescanProject } from "#scans/rescan-project.js";
import { bytes, maxFileBytes, onOff, projectName, ref, trashDays, versionCount } from "./arguments.js";
import { actorOf, type CommonOptions, createCommand, withDatabase, withDeps } from "./command.js";
import { type LimitOptions, noneToNull, withLimitOptions } from "./limit-options.js";
import { INCLUDE_IMPOSSIBLE, printRetried, type RetryOptions } from "./file.js";
import { bytesOr, printJson, printTable, visible } from "./print.js";

/** `stowage project …` */
export function projectCommand(env: Environment): Command {
  return new Command("project")
    .description("manage projects and their API keys")
    .addCommand(createProjectCommand(env))
    .addCommand(listProjectsCommand(env))
    .addCommand(regenerateKeyCommand(env))
    .addCommand(setProjectCommand(env))
    .addCommand(moveStorageCommand(env))
    .addCommand(rescanCommand(env))
    .addCommand(retryVariantsCommand(env));
}

interface CreateOptions extends CommonOptions {
  quotaBytes?: number;
  maxFileBytes?: number;
  requireSize?: true;
  allowOverQuota?: true;
  trashDays: number;
  ref?: string;
  storage?: string;
}

function createProjectCommand(env: Environment): Command {
  return createCommand("create", "create a project and print its API key, which is shown only once")
    .argument("<name>", "name of the project", projectName)
    .option("--quota-bytes <n>", "quota of each tenant in bytes", bytes)
    .option("--max-file-bytes <n>", "largest allowed file in bytes", maxFileBytes)
    .option("--require-size", "refuse uploads without a declared size")
    .option("--allow-over-quota", "keep files that are found larger than the free quota")
    .option(
      "--trash-days <n>",
      "days that a deleted file can be restored, 0 for no trash",
      trashDays,
      limits.newProjectTrashDays,
    )
    .option("--ref <ref>", "its ref, for a project that was lost with the database; random by default", ref)
    .option("--storage <name>", "its storage of STORAGES_FILE; the default one by default")
    .action(async (name: string, options: CreateOptions) => {
      const { quotaBytes, maxFileBytes, requireSize, allowOverQuota, trashDays, ref } = options;
      const storage = chooseStorage(readStorageNames(env), options.storage ?? null);
      const created = await withDatabase(env, async (deps) => {
        if (ref !== undefined && (await hasProject(deps, ref)))
          throw new ConfigError("A project with this ref exists.");
        return createProjectWithoutOwner(deps, commandLineActor, {
          name,
          trashDays,
          storage,
          ...(quotaBytes === undefined ? {} : { defaultQuotaBytes: quotaBytes }),
          ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
          ...(requireSize ? { requireSize } : {}),
          ...(allowOverQuota ? { allowOverQuota } : {}),
          ...(ref === undefined ? {} : { ref }),
        });
      });
      printKey(created, options);
    });
}

function listProjectsCommand(env: Environment): Command {
  return createCommand("list", "list all projects with their settings").action(
    async (options: CommonOptions) => {
      const projects = await withDatabase(env, listProjects);
      if (options.json) return printJson(projects.map(toJson));
      printProjects(projects);
    },
  );
}

function regenerateKeyCommand(env: Environment): Command {
  return createCommand("regenerate-key", "replace a project's API key; the old key is invalid immediately")
    .argument("<project_ref>")
    .action(async (ref: string, options: CommonOptions) => {
      const replaced = await withDatabase(env, async (deps) =>
        replaceKeyUnconfirmed(deps, await actorOf(deps, ref)),
      );
      printKey(replaced, options);
    });
}

interface SetOptions extends CommonOptions, LimitOptions {
  name?: string;
  maxFileBytes?: number;
  requireSize?: boolean;
  allowOverQuota?: boolean;
  trashDays?: number;
  maxVersions?: number;
  scan?: ScanSetting;
  allowUnscannable?: boolean;
}

function setProjectCommand(env: Environment): Command {
  const command = createCommand(
    "set",
    "change a project's settings; settings that you omit stay as they are",
  );
  return withLimitOptions(command.argument("<project_ref>"), "the service's default")
    .option("--name <name>", "name of the project", projectName)
    .option("--max-file-bytes <n>", "largest allowed file in bytes", maxFileBytes)
    .option("--require-size <on|off>", "whether to refuse uploads without a declared size", onOff)
    .option(
      "--allow-over-quota <on|off>",
      "whether to keep files that are found larger than the free quota",
      onOff,
    )
    .option("--trash-days <n>", "days that a deleted file can be restored, 0 for no trash", trashDays)
    .option("--max-versions <n>", "how many replaced files are kept of each file, 0 for none", versionCount)
    .addOption(
      new Option("--scan <off|clamav|external>", "who scans the files for viruses").choices(scanSettings),
    )
    .option(
      "--allow-unscannable <on|off>",
      "whether files can be downloaded that the scanner cannot look into",
      onOff,
    )
    .action(async (ref: string, options: SetOptions) => {
      const { json, quotaBytes, maxFiles, maxOpenUploads, uploadsPerMinute, ...rest } = options;
      const change = {
        ...rest,
        defaultQuotaBytes: noneToNull(quotaBytes),
        defaultMaxFiles: noneToNull(maxFiles),
        defaultMaxOpenUploads: noneToNull(maxOpenUploads),
        defaultUploadsPerMinute: noneToNull(uploadsPerMinute),
      };
      if (Object.values(change).every((value) => value === undefined))
        throw new ConfigError("Say what to change");
      const project = await withDatabase(env, async (deps) =>
        changeProject(deps, await actorOf(deps, ref), change),
      );
      if (json) return printJson(toJson(project));
      printProjects([project]);
    });
}

interface MoveOptions extends CommonOptions {
  to?: string;
  cancel?: true;
  changePublicUrls?: true;
  wait?: true;
}

function moveStorageCommand(env: Environment): Command {
  return createCommand(
    "move-storage",
    "move a project to another storage of STORAGES_FILE while it is used; repeat the command to go on",
  )
    .argument("<project_ref>")
    .option("--to <name>", "the new storage")
    .option("--cancel", "take back a move whose project has not arrived")
    .option("--change-public-urls", "accept that public files get other permanent URLs")
    .option("--wait", "wait for the end of the old URLs and delete the old copies, which may take 8 days")
    .action(async (ref: string, options: MoveOptions) => {
      const { to, cancel = false, json } = options;
      if (cancel === (to !== undefined)) throw new ConfigError("Say --to a storage, or --cancel.");
      const input = {
        to: to ?? null,
        changesPublicUrls: options.changePublicUrls ?? false,
        waits: options.wait ?? false,
      };
      await withDeps(composeMoveCommand(readConfig(env)), async (deps) => {
        const report = (progress: MoveProgress) =>
          json ? printJson(snakeKeys(progress)) : console.log(describeMove(progress));
        const outcome = await moveProject(deps, await actorOf(deps, ref), input, report);
        if (json) return printJson(snakeKeys(outcome));
        console.log(describeMoved(outcome));
      });
    });
}

const secondsOf = (ms: number) => `${Math.ceil(ms / 1000)} s`;

function describeMove(progress: MoveProgress): string {
  switch (progress.step) {
    case "claim":
      return `Another run was moving this project. Waiting up to ${secondsOf(progress.untilMs)} until it is known to have ended`;
    case "preparing":
      return `Waiting ${secondsOf(progress.remainingMs)} until every replica knows of the move`;
    case "copying":
      return `${progress.objects} objects copied, ${progress.bytes} bytes`;
    case "sending":
      return `Storage does not copy from bucket to bucket (${progress.reason}), so this command reads and sends the objects`;
    case "uploads":
      return `Waiting for ${progress.uploads} uploads that began at the old storage; they complete or expire`;
    case "settling":
      return `The project has moved. Its old URLs end at ${progress.urlsEndAt.toISOString()}`;
    case "removing":
      return `${progress.objects} old copies deleted`;
  }
}

function describeMoved(outcome: MoveOutcome): string {
  return outcome.state === "done"
    ? `The project is in the storage ${outcome.to}, and its old copies are deleted.`
    : `The project is in the storage ${outcome.to}. Run this command again after ${outcome.urlsEndAt.toISOString()}: then it deletes the old copies.`;
}

function rescanCommand(env: Environment): Command {
  return createCommand("rescan", "have the workers scan the files again, for example with new signatures")
    .argument("<project_ref>")
    .option("--block", "allow no download of a file until its new scan has found nothing")
    .action(async (ref: string, { block = false, json }: CommonOptions & { block?: boolean }) => {
      const files = await withDatabase(env, async (deps) =>
        rescanProject(deps, await actorOf(deps, ref), { block }),
      );
      if (json) return printJson({ files });
      console.log(files === 1 ? "1 file waits for another scan." : `${files} files wait for another scan.`);
    });
}

function retryVariantsCommand(env: Environment): Command {
  return createCommand("retry-variants", "have the failed image variants of all files made again")
    .argument("<project_ref>")
    .option("--impossible", INCLUDE_IMPOSSIBLE)
    .action(async (ref: string, { impossible = false, json }: CommonOptions & RetryOptions) => {
      const variants = await withDatabase(env, async (deps) =>
        retryVariantsOfProject(deps, await actorOf(deps, ref), { includeImpossible: impossible }),
      );
      printRetried(variants, json);
    });
}

/** The database has only the key's hash, so no later command can print the key. */
function printKey({ ref, name, apiKey }: ProjectWithKey, options: CommonOptions): void {
  if (options.json) return printJson({ project_ref: ref, name, api_key: apiKey });
  console.log(`Project ${visible(name)} (${ref})\nAPI key (shown only once): ${apiKey}`);
}

function toJson({ ref, ...project }: ProjectSummary) {
  return { project_ref: ref, ...snakeKeys(project) };
}

function printProjects(projects: ProjectSummary[]): void {
  printTable(
    ["PROJECT", "API KEY", "QUOTA", "LARGEST FILE", "SIZE", "TRASH DAYS", "SCAN", "STORAGE", "NAME"],
    projects.map((project) => [
      project.ref,
      project.apiKey,
      bytesOr("default", project.defaultQuotaBytes),
      project.maxFileBytes,
      project.requireSize ? "required" : "optional",
      project.trashDays,
      project.scan,
      project.storage ?? "default",
      project.name,
    ]),
  );
}
