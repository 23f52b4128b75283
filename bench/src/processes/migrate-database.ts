import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Migrates a database with the built service's command. */
export async function migrateDatabase(databaseUrl: string): Promise<void> {
  const cli = fileURLToPath(import.meta.resolve("@stowage/service/cli"));
  await promisify(execFile)(process.execPath, [cli, "migrate"], {
    env: { PATH: process.env["PATH"], DATABASE_URL: databaseUrl },
    timeout: 60_000,
  });
}
