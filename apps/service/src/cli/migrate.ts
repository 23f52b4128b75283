import { StowageError } from "@stowage/schemas";
import type { Command } from "commander";
import { ConfigError, type Environment } from "#settings/parse-settings.js";
import { readMigrationConfig } from "#config.js";
import { NotDistributableError } from "#db/citus/distribute.js";
import { migrate } from "#db/migrate.js";
import { openPasswordSource } from "#db/driver/password-source.js";
import { isUnavailable } from "#db/driver/unavailable.js";
import { type CommonOptions, createCommand } from "./command.js";
import { printJson } from "./print.js";
import { describeError } from "./report-error.js";

interface Options extends CommonOptions {
  citus?: true;
}

/** `stowage migrate` */
export function migrateCommand(env: Environment): Command {
  return createCommand("migrate", "migrate the database to this version's schema; safe to repeat")
    .option("--citus", "also distribute the tables over the nodes of a Citus cluster")
    .action(async ({ citus, json }: Options) => {
      const config = readMigrationConfig(env);
      try {
        const readPassword = config.password && openPasswordSource(config.password, config);
        await migrate(config.url, config.timeoutMs, { citus: citus === true, readPassword });
      } catch (error) {
        if (error instanceof NotDistributableError) throw new ConfigError(error.message);
        const cause = isUnavailable(error) ? new StowageError("unavailable", { cause: error }) : error;
        const reason = describeError(cause).replace("DATABASE_URL", config.setting);
        throw new ConfigError(`The database was not migrated. ${reason}`);
      }
      if (json) return printJson({ migrated: true, ...(citus ? { distributed: true } : {}) });
      console.log("The database has this version's schema.");
      if (citus) console.log("Its tables are distributed. `stowage doctor` says how.");
    });
}
