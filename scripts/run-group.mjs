import { basename, join } from "node:path";
import { run } from "./install.mjs";

const root = join(import.meta.dirname, "..");
const TIMEOUT_MS = 60 * 60_000;

/**
 * Builds a workspace and what it needs, and runs its tests of one group, which `npm test` does not run. Ends this process with the exit
 * code.
 *
 * @param workspace its folder, such as `tooling/shadcn`
 * @param group the name of the project in `vitest.GROUP.config.ts`
 * @param args for vitest
 * @param options.timeoutMs for all tests. @default one hour
 */
export function runGroup(workspace, group, args, { timeoutMs = TIMEOUT_MS } = {}) {
  const build = ["run", "build", `--filter=@stowage/${basename(workspace)}...`, "--output-logs=errors-only"];
  const built = run(root, "turbo", build, { quiet: true });
  if (built !== 0) process.exit(built);
  const vitest = ["run", "--root", workspace, "--config", `vitest.${group}.config.ts`, "--project", group];
  process.exit(run(root, "vitest", [...vitest, ...args], { timeoutMs }));
}
