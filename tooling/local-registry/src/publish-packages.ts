import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { root } from "./published-packages.js";

const TIMEOUT_MS = 120_000;

/**
 * Publishes all packages as a release does (docs/releasing.md). pnpm replaces `workspace:*` by versions.
 *
 * @throws {Error} with its whole output if it fails
 */
export async function publishPackages(url: string, env: Record<string, string>): Promise<void> {
  // The flag, not the environment: pnpm ignores npm_config_registry, and would then publish to the public registry.
  const args = ["publish", "--recursive", "--access=public", "--no-git-checks", `--registry=${url}/`];
  const tools = join(root, "node_modules", ".bin");
  try {
    await promisify(execFile)("pnpm", args, {
      cwd: root,
      env: { ...env, PATH: [tools, env["PATH"]].join(delimiter) },
      timeout: TIMEOUT_MS,
      maxBuffer: 1 << 26,
      shell: process.platform === "win32",
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`The packages could not be published to ${url}.\n${stdout}${stderr}`, { cause: error });
  }
}
