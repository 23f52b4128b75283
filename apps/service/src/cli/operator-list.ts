import { snakeKeys } from "@stowage/schemas";
import type { Command } from "commander";
import type { Environment } from "#config.js";
import { listOperators } from "#auth/list-operators.js";
import { type CommonOptions, operatorCommand, withDatabase } from "./operate.js";
import { printJson, printTable } from "./print.js";

/** `stowage operator list` */
export function operatorListCommand(env: Environment): Command {
  return operatorCommand("list", "list all who can sign in to the dashboard").action(
    async (options: CommonOptions) => {
      const all = await withDatabase(env, listOperators);
      if (options.json) return printJson(all.map((operator) => snakeKeys(operator)));
      printTable(
        ["E-MAIL", "ADMIN", "TWO-FACTOR", "NAME"],
        all.map(({ email, isAdmin, twoFactorEnabled, name }) => [
          email,
          isAdmin ? "yes" : "no",
          twoFactorEnabled ? "on" : "off",
          name,
        ]),
      );
    },
  );
}
