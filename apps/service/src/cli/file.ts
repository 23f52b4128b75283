import { parse, restoreVersionRequest, snakeKeys, StowageError, updateRequest } from "@stowage/schemas";
import { Command, InvalidArgumentError } from "commander";
import { restoreAudited, setHoldAudited } from "#files/lifecycle/keep-files.js";
import { updateFileAudited } from "#files/organise/update-file.js";
import { retryVariantsOfFile } from "#images/retry-variants.js";
import type { Environment } from "#settings/parse-settings.js";
import { findFileAndTenant, toRecord } from "#files/record/find-file.js";
import { versionsOf } from "#files/versions/find-versions.js";
import { restoreVersionAudited } from "#files/versions/restore-version.js";
import { findProjectByRef } from "#projects/find-project.js";
import type { OwnedFile } from "#files/lifecycle/lock-files.js";
import { onOff } from "./arguments.js";
import { actorOf, createCommandOfProject, type ProjectOptions, withDatabase } from "./command.js";
import { printJson, printTable, visible } from "./print.js";

/** `stowage file …` */
export function fileCommand(env: Environment): Command {
  return new Command("file")
    .description("restore and rename files, keep them from being deleted, and have their variants made again")
    .addCommand(restoreCommand(env))
    .addCommand(holdCommand(env))
    .addCommand(updateCommand(env))
    .addCommand(versionsCommand(env))
    .addCommand(restoreVersionCommand(env))
    .addCommand(retryVariantsCommand(env));
}

function restoreCommand(env: Environment): Command {
  return createFileCommand("restore", "take a file out of the trash").action(
    async (path: string, { project, json }: ProjectOptions) => {
      const [restored] = await withDatabase(env, async (deps) =>
        restoreAudited(deps, await actorOf(deps, project), { paths: [path], tenantId: undefined }),
      );
      if (!restored) throw new StowageError("file_not_found", { detail: "The trash has no such file" });
      if (json) return printJson(toJson(restored));
      console.log(`The file ${visible(path)} was restored.`);
    },
  );
}

function holdCommand(env: Environment): Command {
  return createFileCommand("hold", "put a file on hold, so that nothing deletes it, or release it")
    .argument("<on|off>", "whether the file is on hold", onOff)
    .action(async (path: string, hold: boolean, { project, json }: ProjectOptions) => {
      const [file] = await withDatabase(env, async (deps) =>
        setHoldAudited(deps, await actorOf(deps, project), { paths: [path], tenantId: undefined }, hold),
      );
      if (!file) throw new StowageError("file_not_found");
      if (json) return printJson(toJson(file));
      console.log(`The file ${visible(path)} is ${hold ? "" : "not "}on hold.`);
    });
}

function updateCommand(env: Environment): Command {
  return createFileCommand("update", "rename or move a file, or change its metadata")
    .option("--filename <name>", "the new name")
    .option("--folder <folder>", 'the folder to move it to, such as "reports/2026"; "" is the root')
    .option(
      "--metadata <json>",
      'members to set or, with null, to remove: {"invoice":"7","draft":null}',
      json,
    )
    .action(async (path: string, { project, json, ...given }: ProjectOptions & UpdateOptions) => {
      const { filePath, tenantId, ...change } = parse(updateRequest, { file_path: path, ...given });
      const file = await withDatabase(env, async (deps) =>
        updateFileAudited(deps, await actorOf(deps, project), { paths: [filePath], tenantId }, change),
      );
      if (json) return printJson(toJson(file));
      console.log(`The file ${visible(path)} was updated.`);
    });
}

interface UpdateOptions {
  filename?: string;
  folder?: string;
  metadata?: unknown;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidArgumentError("Not valid JSON.");
  }
}

function versionsCommand(env: Environment): Command {
  return createFileCommand("versions", "list the versions of a file, the last one first").action(
    async (filePath: string, { project, json }: ProjectOptions) => {
      const versions = await withDatabase(env, async (deps) =>
        versionsOf(deps, await findFileAndTenant(deps, await findProjectByRef(deps, project), { filePath })),
      );
      if (json) return printJson({ versions: versions.map(toJson) });
      printTable(
        ["STORED", "ENDS", "BYTES", "NAME", "VERSION"],
        versions.map(({ file: { storedAt, purgeAt, size, filename, path } }) => [
          storedAt!.toISOString(),
          purgeAt!.toISOString(),
          size!,
          filename,
          path,
        ]),
      );
    },
  );
}

function restoreVersionCommand(env: Environment): Command {
  return createFileCommand("restore-version", "store a version again in place of the file")
    .argument("<version>", "the file_path of the version")
    .action(async (path: string, version: string, { project, json }: ProjectOptions) => {
      const request = parse(restoreVersionRequest, { file_path: path, version });
      const restored = await withDatabase(env, async (deps) =>
        restoreVersionAudited(deps, await actorOf(deps, project), request),
      );
      if (json) return printJson(toJson(restored));
      console.log(`The version ${visible(version)} was restored.`);
    });
}

function retryVariantsCommand(env: Environment): Command {
  return createFileCommand("retry-variants", "have the failed image variants of a file made again")
    .option("--impossible", INCLUDE_IMPOSSIBLE)
    .action(async (path: string, { project, impossible = false, json }: ProjectOptions & RetryOptions) => {
      const variants = await withDatabase(env, async (deps) => {
        const actor = await actorOf(deps, project);
        return retryVariantsOfFile(deps, actor, { path }, { includeImpossible: impossible });
      });
      printRetried(variants, json);
    });
}

/** Options of the commands that have variants made again. */
export interface RetryOptions {
  impossible?: boolean;
}

export const INCLUDE_IMPOSSIBLE = "also those of files that are no images, such as after an upgrade";

export function printRetried(variants: number, json: true | undefined): void {
  if (json) return printJson({ variants });
  console.log(variants === 1 ? "1 variant waits for a worker." : `${variants} variants wait for a worker.`);
}

function createFileCommand(name: string, description: string): Command {
  return createCommandOfProject(name, description, "file").argument("<file_path>");
}

function toJson(file: OwnedFile) {
  return snakeKeys(toRecord(file, null));
}
