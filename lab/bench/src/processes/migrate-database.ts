import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type ServiceBuild, thisBuild } from "./service-build.js";

/**
 * Migrates a database with a built service's command.
 *
 * @param options.citus distributes it. @default false
 */
export async function migrateDatabase(
  databaseUrl: string,
  { cli }: ServiceBuild = thisBuild,
  { citus = false }: { citus?: boolean } = {},
): Promise<void> {
  await promisify(execFile)(process.execPath, [cli, "migrate", ...(citus ? ["--citus"] : [])], {
    env: { PATH: process.env["PATH"], DATABASE_URL: databaseUrl },
    timeout: 60_000,
  });
}
