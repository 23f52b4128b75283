import { hasStrings, parseJson, readIfExists, writePrivateJson } from "./private-json.js";
import { runCli } from "./run-cli.js";

/** What a client, such as the example app or a curl command, needs to call the service. demo.json uses the same names. */
export interface DemoProject {
  base_url: string;
  api_key: string;
  project_ref: string;
}

/** The image presets of the demo project: their names, and the side of their squares in pixels. */
const DEMO_PRESETS = { thumb: "320", avatar: "192" };

type Credentials = Omit<DemoProject, "base_url">;

/** The key is checked before it goes into a header: the error for an invalid header would contain the key. */
const API_KEY = /^stow_live_[0-9A-Za-z]{49}$/;

/**
 * Returns the project "Demo" and its API key. `file` holds the key, because the service stores only its hash. The project is
 * created on the first start, and again if the file is damaged or the service rejects the key.
 *
 * @throws {LocalError} if the file cannot be read. No project is created in that case, since its key could not be stored.
 */
export async function ensureDemoProject(options: {
  file: string;
  baseUrl: string;
  cli: string;
  databaseUrl: string;
  /** The service's settings of storage: the project records the name of its storage. */
  storage: Record<string, string>;
}): Promise<DemoProject> {
  const { file, baseUrl } = options;
  const stored = await readCredentials(file);
  const isUsable = stored !== undefined && (await isKeyAccepted(baseUrl, stored.api_key));
  const { api_key, project_ref } = isUsable ? stored : await createDemoProject(options);
  const demo: DemoProject = { base_url: baseUrl, api_key, project_ref };
  await writePrivateJson(file, demo);
  return demo;
}

async function readCredentials(file: string): Promise<Credentials | undefined> {
  const stored = parseJson((await readIfExists(file)) ?? "");
  return hasStrings(stored, "api_key", "project_ref") && API_KEY.test(stored.api_key) ? stored : undefined;
}

async function isKeyAccepted(baseUrl: string, apiKey: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/api/storage/files/?limit=1`, {
    headers: { Authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
  return response.status !== 401;
}

/** Ctrl-C does not interrupt this: an interrupted call could leave a project whose key was never stored. */
async function createDemoProject({
  cli,
  databaseUrl,
  storage,
}: {
  cli: string;
  databaseUrl: string;
  storage: Record<string, string>;
}): Promise<Credentials> {
  const env = { ...storage, DATABASE_URL: databaseUrl };
  const output = await runCli(cli, ["project", "create", "Demo", "--json"], env);
  const credentials = JSON.parse(output) as Credentials;
  // The example shows these variants.
  for (const [name, pixels] of Object.entries(DEMO_PRESETS)) {
    const size = ["--width", pixels, "--height", pixels, "--fit", "cover", "--eager", "on"];
    await runCli(cli, ["preset", "set", name, "--project", credentials.project_ref, ...size], env);
  }
  return credentials;
}
