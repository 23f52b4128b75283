// `pnpm lab upgrade [COMMIT]`: builds an older version of the service from the history of git, and replaces it by this one under load:
// docs/upgrading.md. Without COMMIT it is the last version before 1.0, at migration 0041. A shallow clone has no older commit.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { runLab } from "./run-lab.mjs";

const root = join(import.meta.dirname, "..");
const read = (command, ...args) =>
  execFileSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();

/** The last commit whose newest migration is 0041. */
const BEFORE_BASELINE = "0f8b138c";
const commit = process.argv[2] ?? BEFORE_BASELINE;
/** Replicas of such a version do not work on the schema of a newer one, so all are stopped first. */
const isBeforeBaseline =
  read("git", "ls-tree", "--name-only", commit, "apps/service/src/db/migrations") === "";
process.env.OLDER_SERVICE = read(process.execPath, "lab/upgrade/build-older.mjs", commit);
if (isBeforeBaseline) process.env.OLDER_STOPS = "on";
process.exitCode = runLab("upgrade", []);
