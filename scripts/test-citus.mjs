// `pnpm test:citus`: runs the service's slow tests on Citus. DATABASE_URL names an empty database on the coordinator of a
// cluster whose workers are registered; the tests reach every node with its user and password. Other arguments are passed to
// vitest. `--faults` runs only the random histories during which a worker is killed, with the shell commands CITUS_KILL and
// CITUS_REVIVE. It is not part of `npm test`, because Citus does not come from npm.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const service = join(root, "apps", "service");

const args = process.argv.slice(2);
const withFaults = args.includes("--faults");
const missing = ["DATABASE_URL", ...(withFaults ? ["CITUS_KILL", "CITUS_REVIVE"] : [])].filter(
  (name) => !process.env[name],
);
if (missing.length > 0) {
  console.error(`Set ${missing.join(", ")}: docs/scale-out.md says to what.`);
  process.exit(1);
}

if (!withFaults) {
  const notOnCitus = JSON.parse(readFileSync(join(service, "test", "citus", "not-on-citus.json"), "utf8"));
  for (const [file, reason] of Object.entries(notOnCitus)) console.log(`Not on Citus: ${file}: ${reason}`);
}
const env = { ...process.env, PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}` };
const run = (command, args, cwd) =>
  spawnSync(command, args, { cwd, env, stdio: "inherit", timeout: 60 * 60_000 }).status ?? 1;
const projects = withFaults ? ["--project", "faults"] : ["--project", "slow", "--project", "citus"];
const rest = args.filter((arg) => arg !== "--faults");
const status =
  run("turbo", ["run", "build", "--filter=@stowage/service...", "--output-logs=errors-only"], root) ||
  run("vitest", ["run", "--config", "vitest.citus.config.ts", ...projects, ...rest], service);
process.exit(status);
