import { StowageError } from "@stowage/schemas";
import type { Command } from "commander";
import { ConfigError, type Environment, readDatabaseConfig } from "#config.js";
import { migrate } from "#db/migrate.js";
import { isUnavailable } from "#db/unavailable.js";
import { sentenceOf } from "./fail.js";
import { type CommonOptions, operatorCommand } from "./operate.js";
import { printJson } from "./print.js";

/** `stowage migrate` */
export function migrateCommand(env: Environment): Command {
  return operatorCommand("migrate", "bring the database to this version's schema; safe to repeat").action(
    async (options: CommonOptions) => {
      const config = readDatabaseConfig(env);
      try {
        await migrate(config.DATABASE_URL, config.DATABASE_TIMEOUT_MS);
      } catch (error) {
        const cause = isUnavailable(error) ? new StowageError("unavailable", { cause: error }) : error;
        throw new ConfigError(`The database was not migrated. ${sentenceOf(cause)}`);
      }
      if (options.json) return printJson({ migrated: true });
      console.log("The database has this version's schema.");
    },
  );
}
