import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type ServiceBuild, thisBuild } from "./service-build.js";

/** Creates a project without a quota with a built service's command. @returns its key */
export async function createProject(databaseUrl: string, build: ServiceBuild = thisBuild): Promise<string> {
  return (await create(databaseUrl, build)).api_key;
}

/** Events of uploads and settles. */
const EVENTS =
  "file.stored,file.deleted,file.expired,tenant.created,tenant.quota_reached,tenant.quota_cleared";

/** Creates a project like {@link createProject}, with a webhook endpoint. @returns its ref and key */
export async function createProjectWithEndpoint(
  databaseUrl: string,
  url = "https://receiver.invalid/",
): Promise<{ ref: string; apiKey: string }> {
  const { project_ref: ref, api_key: apiKey } = await create(databaseUrl, thisBuild);
  await runCommand(databaseUrl, thisBuild, ["webhook", "create", url, "--project", ref, "--events", EVENTS]);
  return { ref, apiKey };
}

const create = async (databaseUrl: string, build: ServiceBuild) =>
  JSON.parse(await runCommand(databaseUrl, build, ["project", "create", "Bench"])) as {
    project_ref: string;
    api_key: string;
  };

async function runCommand(databaseUrl: string, { cli }: ServiceBuild, args: string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_PRIVATE: "true" };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args, "--json"], {
    env,
    timeout: 60_000,
  });
  return stdout;
}
