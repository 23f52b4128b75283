import type { Command } from "commander";
import type { Environment } from "#config.js";
import { createProject } from "#projects/create-project.js";
import { bytes, maxFileBytes, projectName } from "./arguments.js";
import { type CommonOptions, operatorCommand, withDatabase } from "./operate.js";
import { printKey } from "./print-key.js";

interface Options extends CommonOptions {
  quotaBytes?: number;
  maxFileBytes?: number;
  requireSize?: true;
}

/** `stowage project create <name>` */
export function projectCreateCommand(env: Environment): Command {
  return operatorCommand("create", "create a project; its key is shown this once")
    .argument("<name>", "what people call it", projectName)
    .option("--quota-bytes <n>", "bytes each tenant may use", bytes)
    .option("--max-file-bytes <n>", "largest file", maxFileBytes)
    .option("--require-size", "refuse uploads that do not announce their size")
    .action(async (name: string, options: Options) => {
      const { quotaBytes, maxFileBytes, requireSize } = options;
      const created = await withDatabase(env, (deps) =>
        createProject(deps, {
          name,
          ...(quotaBytes === undefined ? {} : { defaultQuotaBytes: quotaBytes }),
          ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
          ...(requireSize ? { requireSize } : {}),
        }),
      );
      printKey(created, options);
    });
}
