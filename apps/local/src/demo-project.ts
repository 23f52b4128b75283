import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { writePrivateJson } from "./data-dir.js";

/** What the example, and anybody with curl, needs to talk to the service. */
export interface Demo {
  base_url: string;
  api_key: string;
  project_ref: string;
}

/**
 * The project "Demo" and its key, kept in `file` since the service keeps only the key's hash. Made on the first start, and
 * again when the service no longer knows the key.
 */
export async function ensureDemoProject(options: {
  file: string;
  baseUrl: string;
  cli: string;
  databaseUrl: string;
}): Promise<Demo> {
  const { file, baseUrl } = options;
  const kept = await readDemo(file);
  const key = kept && (await isKeyValid(baseUrl, kept.api_key)) ? kept : await createDemoProject(options);
  const demo: Demo = { base_url: baseUrl, api_key: key.api_key, project_ref: key.project_ref };
  await writePrivateJson(file, demo);
  return demo;
}

async function readDemo(file: string): Promise<Demo | undefined> {
  try {
    const demo = JSON.parse(await readFile(file, "utf8")) as Partial<Demo>;
    return typeof demo.api_key === "string" && typeof demo.project_ref === "string"
      ? (demo as Demo)
      : undefined;
  } catch {
    return undefined; // missing or damaged: both are mended by making a new one
  }
}

async function isKeyValid(baseUrl: string, key: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/api/storage/files/?limit=1`, {
    headers: { Authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
  return response.status !== 401;
}

async function createDemoProject(options: {
  cli: string;
  databaseUrl: string;
}): Promise<Omit<Demo, "base_url">> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [options.cli, "project", "create", "Demo", "--json"],
    {
      env: {
        PATH: process.env["PATH"],
        DATABASE_URL: options.databaseUrl,
        AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
      },
      timeout: 30_000,
    },
  );
  return JSON.parse(stdout) as Omit<Demo, "base_url">;
}
