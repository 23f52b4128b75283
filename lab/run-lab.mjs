import { join } from "node:path";
import { run } from "../scripts/install.mjs";

const root = join(import.meta.dirname, "..");
const HOUR_MS = 3_600_000;

/**
 * Builds what a lab needs and runs its tests: all `*.lab.ts` in its folder.
 *
 * @param name the folder, or a pattern of several, such as `{nightly,fuzz}`
 * @param args for vitest
 * @param options.builds the workspaces that are built before, each with what it needs. @default the service
 * @param options.timeoutMs for all tests. @default one hour
 * @returns the exit code
 */
export function runLab(name, args, { builds = ["@stowage/service"], timeoutMs = HOUR_MS } = {}) {
  const filters = builds.map((workspace) => `--filter=${workspace}...`);
  const built = run(root, "turbo", ["run", "build", ...filters, "--output-logs=errors-only"], {
    quiet: true,
  });
  if (built !== 0) return built;
  process.env.TEST_GROUP = "lab";
  process.env.LAB = name;
  return run(root, "vitest", ["run", "--root", "lab", ...args], { timeoutMs });
}
