import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Creates a project without a quota with the service's command. @returns its key */
export async function createProject(databaseUrl: string): Promise<string> {
  const cli = fileURLToPath(import.meta.resolve("@stowage/service/cli"));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, "project", "create", "Bench", "--json"],
    {
      env: { PATH: process.env["PATH"], DATABASE_URL: databaseUrl },
      timeout: 60_000,
    },
  );
  return (JSON.parse(stdout) as { api_key: string }).api_key;
}
