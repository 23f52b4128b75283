// `pnpm test:restore`: backs up a database under load with pgBackRest, destroys it, restores it to a moment and reconciles it with
// storage. Arguments are passed to vitest. It is not part of `npm test`, because PostgreSQL with pgBackRest comes from Debian.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installDebianPackages } from "./debian-packages.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const TIME_LIMIT_MS = 20 * 60_000;

// The pgBackRest of Debian 12 supports PostgreSQL up to 15, and npm's PostgreSQL is newer.
installDebianPackages(["postgresql-15", "pgbackrest"]);
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
  ["run", "--config", "vitest.restore.config.ts", "--project", "restore", ...process.argv.slice(2)],
  join(root, "apps", "service"),
);
process.exit(status);
