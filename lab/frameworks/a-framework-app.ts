import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { LocalRegistry } from "@stowage/local-registry";

const exec = promisify(execFile);
const TIMEOUT_MS = 400_000;

export interface FrameworkTools {
  registry: LocalRegistry;
  /** Where the home folder, the cache and the apps are created. */
  folder: string;
}

/** An app that was built. */
export interface FrameworkApp {
  /** The folder of the built page. */
  pageDir: string;
  /**
   * Type-checks the app with another text in its component, and puts the old one back.
   *
   * @returns what the check printed
   * @throws {Error} if the check finds nothing
   */
  checkWith(text: string, replacement: string): Promise<string>;
}

/**
 * Copies the app of a framework, installs `@stowage/element` from the local registry, type-checks the app if its framework can, and
 * builds it.
 *
 * @param name the name of the folder in `apps/`
 * @param component the path of the component, which docs/element.md links
 */
export async function buildFrameworkApp(
  tools: FrameworkTools,
  name: string,
  component: string,
): Promise<FrameworkApp> {
  const app = join(tools.folder, name);
  await cp(join(import.meta.dirname, "apps", name), app, { recursive: true });
  await npm(tools, app, "install", "@stowage/element");
  await npm(tools, app, "run", "build");
  return {
    pageDir: join(app, "dist"),
    async checkWith(text, replacement) {
      const path = join(app, component);
      const correct = await readFile(path, "utf8");
      if (!correct.includes(text)) throw new Error(`${component} has no ${text}`);
      await writeFile(path, correct.replace(text, replacement));
      const found = await npm(tools, app, "run", "check").catch(String);
      await writeFile(path, correct);
      if (found === undefined) throw new Error(`The check of ${name} accepts ${replacement}`);
      return found;
    },
  };
}

/** Runs npm as a customer would. @throws {Error} with its output if it fails */
async function npm({ registry, folder }: FrameworkTools, cwd: string, ...args: string[]): Promise<void> {
  // Angular's CLI asks whether it may send statistics, unless it runs in CI.
  const env = { ...registry.environmentFor(folder), CI: "1" };
  try {
    await exec("npm", args, { cwd, env, timeout: TIMEOUT_MS, maxBuffer: 1 << 26 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`npm ${args.join(" ")} failed\n${stdout}${stderr}`, { cause: error });
  }
}
