import type { Command } from "commander";
import type { Environment } from "#config.js";
import { removeTwoFactor } from "#auth/remove-two-factor.js";
import { type CommonOptions, operatorCommand, withDatabase } from "./operate.js";
import { printJson } from "./print.js";

/** `stowage operator remove-two-factor <email>` */
export function operatorRemoveTwoFactorCommand(env: Environment): Command {
  return operatorCommand("remove-two-factor", "let somebody who lost the second factor sign in without one")
    .argument("<email>")
    .action(async (email: string, options: CommonOptions) => {
      const operator = await withDatabase(env, (deps) => removeTwoFactor(deps, email));
      if (options.json) return printJson(operator);
      console.log(`${operator.email} signs in by password alone.`);
    });
}
