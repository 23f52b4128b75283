// `pnpm test:failover`: the tests with a replicated database behind HAProxy. Arguments are passed to vitest. It is not part
// of `npm test`, because HAProxy and Patroni come from Debian and not from npm.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installDebianPackages } from "./debian-packages.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const TIME_LIMIT_MS = 20 * 60_000;

installDebianPackages(["haproxy", "patroni", "etcd-server", "postgresql-15"]);
const env = { ...process.env, PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}` };
const run = (command, args, cwd) =>
  spawnSync(command, args, { cwd, env, stdio: "inherit", timeout: TIME_LIMIT_MS }).status ?? 1;
let status = run(
  "turbo",
  ["run", "build", "--filter=@stowage/service...", "--output-logs=errors-only"],
  root,
);
status ||= run(
  "vitest",
  ["run", "--config", "vitest.failover.config.ts", "--project", "failover", ...process.argv.slice(2)],
  join(root, "apps", "service"),
);
process.exit(status);
