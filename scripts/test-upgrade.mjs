// `pnpm test:upgrade [COMMIT]`: builds an older version of the service from the history of git, and replaces it by this one under
// load: docs/upgrading.md. Without COMMIT it is the last version before 1.0, at migration 0041. Not part of `npm test`, because a shallow
// clone has no older commit, and because the build of the older version takes a minute.
import { execFileSync, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const TIME_LIMIT_MS = 20 * 60_000;

const env = { ...process.env, PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}` };
const read = (command, ...args) =>
  execFileSync(command, args, {
    cwd: root,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();
const run = (command, args, { cwd = root, more = {} } = {}) => {
  const options = { cwd, env: { ...env, ...more }, stdio: "inherit", timeout: TIME_LIMIT_MS };
  const status = spawnSync(command, args, options).status ?? 1;
  if (status !== 0) throw new Error(`${command} ${args[0]} failed`);
};

/** The last commit whose newest migration is 0041. */
const BEFORE_BASELINE = "0f8b138c";
const commit = process.argv[2] ?? BEFORE_BASELINE;
/** Replicas of such a version do not work on the schema of a newer one, so all are stopped first. */
const isBeforeBaseline =
  read("git", "ls-tree", "--name-only", commit, "apps/service/src/db/migrations") === "";
const older = read(process.execPath, "scripts/build-older.mjs", commit);
run("turbo", ["run", "build", "--filter=@stowage/service...", "--output-logs=errors-only"]);
run("vitest", ["run", "--config", "vitest.upgrade.config.ts", "--project", "upgrade"], {
  cwd: join(root, "apps", "service"),
  more: { OLDER_SERVICE: older, ...(isBeforeBaseline && { OLDER_STOPS: "on" }) },
});
