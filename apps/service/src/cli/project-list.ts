import { snakeKeys } from "@stowage/schemas";
import type { Command } from "commander";
import type { Environment } from "#config.js";
import { listProjects, type ProjectSummary } from "#projects/list-projects.js";
import { type CommonOptions, operatorCommand, withDatabase } from "./operate.js";
import { bytesOr, printJson, printTable } from "./print.js";

/** `stowage project list` */
export function projectListCommand(env: Environment): Command {
  return operatorCommand("list", "list all projects with their settings").action(
    async (options: CommonOptions) => {
      const all = await withDatabase(env, listProjects);
      if (options.json) return printJson(all.map(toJson));
      printProjects(all);
    },
  );
}

export function toJson({ ref, ...project }: ProjectSummary) {
  return { project_ref: ref, ...snakeKeys(project) };
}

export function printProjects(all: ProjectSummary[]): void {
  printTable(
    ["PROJECT", "API KEY", "QUOTA", "LARGEST FILE", "SIZE", "NAME"],
    all.map((project) => [
      project.ref,
      project.apiKey,
      bytesOr("default", project.defaultQuotaBytes),
      project.maxFileBytes,
      project.requireSize ? "required" : "optional",
      project.name,
    ]),
  );
}
