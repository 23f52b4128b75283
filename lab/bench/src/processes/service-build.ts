import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** A built service. */
export interface ServiceBuild {
  /** The paths of its programs. */
  main: string;
  cli: string;
}

/** This version. */
export const thisBuild: ServiceBuild = {
  main: fileURLToPath(import.meta.resolve("@stowage/service/main")),
  cli: fileURLToPath(import.meta.resolve("@stowage/service/cli")),
};

const BUILDER = fileURLToPath(new URL("../../../upgrade/build-older.mjs", import.meta.url));
const TIMEOUT_MS = 20 * 60_000;

/** Builds the version of a commit from the history of git, or takes the build that an earlier call has kept. */
export async function buildOlder(commit: string): Promise<ServiceBuild> {
  const { stdout } = await promisify(execFile)(process.execPath, [BUILDER, commit], { timeout: TIMEOUT_MS });
  const dist = stdout.trim();
  return { main: join(dist, "main.js"), cli: join(dist, "cli.js") };
}
