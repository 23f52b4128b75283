import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./published-packages.js";

const TIMEOUT_MS = 360_000;

/**
 * Publishes all packages with the program that a release uses.
 *
 * @throws {Error} with its whole output if it fails
 */
export async function publishPackages(url: string, env: Record<string, string>): Promise<void> {
  const program = join(root, "scripts", "publish-packages.mjs");
  try {
    await promisify(execFile)(process.execPath, [program, `--registry=${url}/`], {
      cwd: root,
      env,
      timeout: TIMEOUT_MS,
      maxBuffer: 1 << 26,
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`The packages could not be published to ${url}.\n${stdout}${stderr}`, { cause: error });
  }
}
