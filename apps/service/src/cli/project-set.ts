import type { Command } from "commander";
import type { Environment } from "#config.js";
import { updateProject } from "#projects/update-project.js";
import { bytesOrNone, maxFileBytes, onOff, projectName } from "./arguments.js";
import { type CommonOptions, operatorCommand, withDatabase } from "./operate.js";
import { printJson } from "./print.js";
import { printProjects, toJson } from "./project-list.js";

interface Options extends CommonOptions {
  name?: string;
  quotaBytes?: number | "none";
  maxFileBytes?: number;
  requireSize?: boolean;
}

/** `stowage project set <project_ref>` */
export function projectSetCommand(env: Environment): Command {
  return operatorCommand("set", "change a project's settings; what is not given stays")
    .argument("<project_ref>")
    .option("--name <name>", "what people call it", projectName)
    .option(
      "--quota-bytes <n>",
      'bytes each tenant may use, or "none" for the service\'s default',
      bytesOrNone,
    )
    .option("--max-file-bytes <n>", "largest file", maxFileBytes)
    .option("--require-size <on|off>", "whether to refuse uploads that do not announce their size", onOff)
    .action(async (ref: string, options: Options) => {
      const { json, quotaBytes, ...rest } = options;
      const defaultQuotaBytes = quotaBytes === "none" ? null : quotaBytes;
      const change = { ...rest, ...(defaultQuotaBytes === undefined ? {} : { defaultQuotaBytes }) };
      const project = await withDatabase(env, (deps) => updateProject(deps, ref, change));
      if (json) return printJson(toJson(project));
      printProjects([project]);
    });
}
