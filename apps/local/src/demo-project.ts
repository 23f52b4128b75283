import { hasStrings, parseJson, readIfThere, writePrivateJson } from "./private-json.js";
import { outputOf } from "./run-cli.js";

/** What the example, and anybody with curl, needs to talk to the service. */
export interface Demo {
  base_url: string;
  api_key: string;
  project_ref: string;
}

type Key = Omit<Demo, "base_url">;

/** Judged before it is put into a header, whose error would show it. */
const KEY = /^stow_live_[0-9A-Za-z]{49}$/;

/**
 * The project "Demo" and its key, kept in `file` since the service keeps only the key's hash. Made on the first start, and
 * again when the file is damaged or the service no longer knows the key.
 *
 * @throws {LocalError} when the file cannot be read, before a project is made that nobody would have the key of
 */
export async function ensureDemoProject(options: {
  file: string;
  baseUrl: string;
  cli: string;
  databaseUrl: string;
}): Promise<Demo> {
  const { file, baseUrl } = options;
  const kept = await readKey(file);
  const key = kept && (await isKeyValid(baseUrl, kept.api_key)) ? kept : await createDemoProject(options);
  const demo: Demo = { base_url: baseUrl, api_key: key.api_key, project_ref: key.project_ref };
  await writePrivateJson(file, demo);
  return demo;
}

async function readKey(file: string): Promise<Key | undefined> {
  const kept = parseJson((await readIfThere(file)) ?? "");
  return hasStrings(kept, "api_key", "project_ref") && KEY.test(kept.api_key) ? kept : undefined;
}

async function isKeyValid(baseUrl: string, key: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/api/storage/files/?limit=1`, {
    headers: { Authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
  return response.status !== 401;
}

/** Never cut short by Ctrl-C: that could leave a project whose key nobody has. */
async function createDemoProject({ cli, databaseUrl }: { cli: string; databaseUrl: string }): Promise<Key> {
  const output = await outputOf(cli, ["project", "create", "Demo", "--json"], { DATABASE_URL: databaseUrl });
  return JSON.parse(output) as Key;
}
