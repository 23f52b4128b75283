// `pnpm lab histories [FILE…]`: the random histories of the service's verbs, 2,000 of each with a new seed. SEQUENCES= and SEED= choose others: a
// failure prints its seed. On Citus with the DATABASE_URL of a cluster.
import { join } from "node:path";
import { run } from "../scripts/install.mjs";

const TIMEOUT_MS = 8 * 3_600_000;

const root = join(import.meta.dirname, "..");
const { env } = process;
env.SEQUENCES ??= "2000";
env.SEED ??= String(Date.now() % 1_000_000_000);
console.log(`SEED=${env.SEED} SEQUENCES=${env.SEQUENCES}`);

const build = ["run", "build", "--filter=@stowage/service...", "--output-logs=errors-only"];
const files = process.argv.slice(2);
const test = [
  "--root",
  "apps/service",
  "--project",
  "slow",
  "-t",
  "random histories",
  `--testTimeout=${TIMEOUT_MS}`,
];
process.exitCode =
  run(root, "turbo", build) ||
  run(root, "vitest", ["run", ...test, ...(files.length > 0 ? files : ["test/verbs"])], {
    timeoutMs: TIMEOUT_MS,
  });
