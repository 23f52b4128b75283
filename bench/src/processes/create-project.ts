import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Creates a project without a quota with the service's command. @returns its key */
export async function createProject(databaseUrl: string): Promise<string> {
  return (await create(databaseUrl)).api_key;
}

/** Events of uploads and settles. */
const EVENTS =
  "file.stored,file.deleted,file.expired,tenant.created,tenant.quota_reached,tenant.quota_cleared";

/** Creates a project like {@link createProject}, with a webhook endpoint. @returns its ref and key */
export async function createProjectWithEndpoint(
  databaseUrl: string,
  url = "https://receiver.invalid/",
): Promise<{ ref: string; apiKey: string }> {
  const { project_ref: ref, api_key: apiKey } = await create(databaseUrl);
  await runCommand(databaseUrl, ["webhook", "create", url, "--project", ref, "--events", EVENTS]);
  return { ref, apiKey };
}

const create = async (databaseUrl: string) =>
  JSON.parse(await runCommand(databaseUrl, ["project", "create", "Bench"])) as {
    project_ref: string;
    api_key: string;
  };

async function runCommand(databaseUrl: string, args: string[]): Promise<string> {
  const cli = fileURLToPath(import.meta.resolve("@stowage/service/cli"));
  const env = { PATH: process.env["PATH"], DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_PRIVATE: "true" };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args, "--json"], {
    env,
    timeout: 60_000,
  });
  return stdout;
}
