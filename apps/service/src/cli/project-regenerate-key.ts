import type { Command } from "commander";
import type { Environment } from "#config.js";
import { regenerateKey } from "#projects/regenerate-key.js";
import { type CommonOptions, operatorCommand, withDatabase } from "./operate.js";
import { printKey } from "./print-key.js";

/** `stowage project regenerate-key <project_ref>` */
export function projectRegenerateKeyCommand(env: Environment): Command {
  return operatorCommand("regenerate-key", "give a project a new key; the old one stops at once")
    .argument("<project_ref>")
    .action(async (ref: string, options: CommonOptions) => {
      printKey(await withDatabase(env, (deps) => regenerateKey(deps, ref)), options);
    });
}
