import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { LocalRegistry } from "../src/start-registry.js";

/** A machine that has never used npm: an empty folder, an empty cache and an empty home folder. */
export interface Customer extends AsyncDisposable {
  /** The empty folder. */
  app: string;
  /** The environment of all programs. */
  env: Record<string, string>;
  /** Runs a program in the folder. @returns its output */
  run(command: string, ...args: string[]): Promise<{ stdout: string; stderr: string }>;
  write(path: string, text: string): Promise<void>;
}

const RUN_MS = 300_000;

export async function aCustomer(registry: LocalRegistry): Promise<Customer> {
  const folder = await mkdtemp(join(tmpdir(), "stowage-customer-"));
  const app = join(folder, "app");
  await mkdir(app);
  const env = registry.environmentFor(folder);
  return {
    app,
    env,
    run: (command, ...args) => promisify(execFile)(command, args, { cwd: app, env, timeout: RUN_MS }),
    async write(path, text) {
      await mkdir(dirname(join(app, path)), { recursive: true });
      await writeFile(join(app, path), text);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
