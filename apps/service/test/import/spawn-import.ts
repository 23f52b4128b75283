import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { SOURCE_BUCKET, type SourceStore } from "../fixtures/a-source-store.js";
import { flags } from "../fixtures/command-line.js";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

interface Run {
  /** The ref of the project. */
  project: string;
  pattern: string;
  /** Path of the table of old and new keys. */
  table: string;
}

/**
 * Starts the built `stowage import --json` of all objects of a source.
 *
 * @param databaseUrl @default that of the test's servers
 */
export function spawnImport(
  source: SourceStore,
  run: Run,
  stdio: StdioOptions,
  databaseUrl = inject("servers").DATABASE_URL,
): ChildProcess {
  const from = { from: `s3://${SOURCE_BUCKET}`, endpoint: source.endpoint };
  const env = {
    PATH: process.env["PATH"],
    ...inject("servers"),
    ...source.settings,
    DATABASE_URL: databaseUrl,
  };
  return spawn(process.execPath, [CLI, "import", ...flags({ ...run, ...from, json: true })], { env, stdio });
}
