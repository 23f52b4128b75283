import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CreateError } from "./create-error.js";

const PACKAGE_MANAGERS = ["npm", "pnpm", "yarn", "bun"] as const;
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

const LOCKFILES: Record<PackageManager, string[]> = {
  pnpm: ["pnpm-lock.yaml"],
  yarn: ["yarn.lock"],
  bun: ["bun.lock", "bun.lockb"],
  npm: ["package-lock.json"],
};
/** Long enough for a slow line; a registry that never answers must not hold the terminal forever. */
const TIMEOUT_MS = 15 * 60_000;

/** @param userAgent npm_config_user_agent, such as "pnpm/10.1.0 npm/? node/v22.0.0 linux x64" */
export function packageManagerOf(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split("/")[0];
  return PACKAGE_MANAGERS.find((known) => known === name) ?? "npm";
}

/** The package manager whose lockfile an app has. */
export function packageManagerIn(folder: string): PackageManager | undefined {
  return PACKAGE_MANAGERS.find((name) => LOCKFILES[name].some((file) => existsSync(join(folder, file))));
}

/** How a person runs a script of package.json, without the script's name. */
export function runPrefix(manager: PackageManager): string {
  return manager === "pnpm" || manager === "yarn" ? manager : `${manager} run`;
}

export function addCommand(manager: PackageManager, packages: string[]): string[] {
  return [manager, manager === "npm" ? "install" : "add", ...packages];
}

/**
 * Runs the package manager. Its output goes to the terminal.
 *
 * @throws {CreateError} if it fails, or takes more than 15 minutes
 */
export async function runPackageManager(command: string[], folder: string): Promise<void> {
  const [program = "npm", ...args] = command;
  const shown = command.join(" ");
  const child = spawn(program, args, {
    cwd: folder,
    stdio: "inherit",
    timeout: TIMEOUT_MS,
    // On Windows, package managers are scripts, which only a shell can start. No argument comes from a person.
    shell: process.platform === "win32",
  });
  const [code] = (await once(child, "exit").catch((error: Error) => {
    throw new CreateError(`\`${shown}\` could not be started: ${error.message}.`);
  })) as [number | null];
  if (code !== 0) throw new CreateError(`\`${shown}\` failed. Run it again in ${folder}.`);
}
