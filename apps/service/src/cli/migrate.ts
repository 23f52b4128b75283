import { StowageError } from "@stowage/schemas";
import type { Command } from "commander";
import { ConfigError, type Environment, readDatabaseConfig } from "#config.js";
import { migrate } from "#db/migrate.js";
import { isUnavailable } from "#db/unavailable.js";
import { type CommonOptions, createCommand } from "./command.js";
import { printJson } from "./print.js";
import { describeError } from "./report-error.js";

/** `stowage migrate` */
export function migrateCommand(env: Environment): Command {
  return createCommand("migrate", "migrate the database to this version's schema; safe to repeat").action(
    async (options: CommonOptions) => {
      const config = readDatabaseConfig(env);
      try {
        await migrate(config.DATABASE_URL, config.DATABASE_TIMEOUT_MS);
      } catch (error) {
        const cause = isUnavailable(error) ? new StowageError("unavailable", { cause: error }) : error;
        throw new ConfigError(`The database was not migrated. ${describeError(cause)}`);
      }
      if (options.json) return printJson({ migrated: true });
      console.log("The database has this version's schema.");
    },
  );
}
