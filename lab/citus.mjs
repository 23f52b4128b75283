// `pnpm lab citus [FILE…]`: runs the service's slow tests on Citus, and the tests of Citus itself. DATABASE_URL names an empty database on the
// coordinator of a cluster whose workers are registered; the tests reach every node with its user and password. Arguments are passed to
// vitest for the service's tests: `citus test/acceptance/wire` asks the cases of `stowage verify` in two minutes. `--faults` runs only the random histories during which a worker is killed, with the shell commands
// CITUS_KILL and CITUS_REVIVE.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../scripts/install.mjs";
import { runLab } from "./run-lab.mjs";

const root = join(import.meta.dirname, "..");
const TIMEOUT_MS = 3_600_000;

const args = process.argv.slice(2);
const withFaults = args.includes("--faults");
const missing = ["DATABASE_URL", ...(withFaults ? ["CITUS_KILL", "CITUS_REVIVE"] : [])].filter(
  (name) => !process.env[name],
);
if (missing.length > 0) {
  console.error(`Set ${missing.join(", ")}: docs/scale-out.md says to what.`);
  process.exit(1);
}

const rest = args.filter((arg) => arg !== "--faults");
process.exitCode = withFaults ? runLab("citus", ["worker-kills", ...rest]) : testService() || testCitus();

function testService() {
  const leftOut = JSON.parse(readFileSync(join(import.meta.dirname, "citus", "not-on-citus.json"), "utf8"));
  for (const [file, reason] of Object.entries(leftOut)) console.log(`Not on Citus: ${file}: ${reason}`);
  const build = ["run", "build", "--filter=@stowage/service...", "--output-logs=errors-only"];
  const exclude = Object.keys(leftOut).map((file) => `--exclude=${file}`);
  const vitest = [
    "run",
    "--root",
    "apps/service",
    "--project",
    "slow",
    "--maxWorkers=2",
    ...exclude,
    ...rest,
  ];
  return run(root, "turbo", build) || run(root, "vitest", vitest, { timeoutMs: TIMEOUT_MS });
}

function testCitus() {
  return rest.length > 0 ? 0 : runLab("citus", ["distribution"]);
}
