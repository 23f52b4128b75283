import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Brings a database to the schema of the built service, by the service's own command. */
export async function migrateDatabase(databaseUrl: string): Promise<void> {
  const cli = fileURLToPath(import.meta.resolve("@stowage/service/cli"));
  await promisify(execFile)(process.execPath, [cli, "migrate"], {
    env: { PATH: process.env["PATH"], DATABASE_URL: databaseUrl },
    timeout: 60_000,
  });
}
