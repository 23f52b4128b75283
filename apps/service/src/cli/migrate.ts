import { StowageError } from "@stowage/schemas";
import type { Command } from "commander";
import { ConfigError, type Environment, readMigrationConfig } from "#config.js";
import { migrate } from "#db/migrate.js";
import { isUnavailable } from "#db/unavailable.js";
import { type CommonOptions, createCommand } from "./command.js";
import { printJson } from "./print.js";
import { describeError } from "./report-error.js";

/** `stowage migrate` */
export function migrateCommand(env: Environment): Command {
  return createCommand("migrate", "migrate the database to this version's schema; safe to repeat").action(
    async (options: CommonOptions) => {
      const config = readMigrationConfig(env);
      try {
        await migrate(config.url, config.timeoutMs);
      } catch (error) {
        const cause = isUnavailable(error) ? new StowageError("unavailable", { cause: error }) : error;
        const reason = describeError(cause).replace("DATABASE_URL", config.setting);
        throw new ConfigError(`The database was not migrated. ${reason}`);
      }
      if (options.json) return printJson({ migrated: true });
      console.log("The database has this version's schema.");
    },
  );
}
