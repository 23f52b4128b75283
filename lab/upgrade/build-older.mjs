// `node lab/upgrade/build-older.mjs COMMIT`: builds an older version of the service from the history of git, and prints the folder of its
// bundle. A build is kept in the system's folder for temporary files (the bundler reads what follows a folder node_modules as the name of
// a package), so the next call for the same commit takes no time. A shallow clone has no older commit.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const TIME_LIMIT_MS = 20 * 60_000;

const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const env = { ...process.env, PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}` };
/** What a command says goes to stderr, because stdout has only the folder. */
function run(command, args, cwd) {
  const status = spawnSync(command, args, {
    cwd,
    env,
    stdio: ["ignore", 2, 2],
    timeout: TIME_LIMIT_MS,
  }).status;
  if (status !== 0) throw new Error(`${command} ${args[0]} failed`);
}

const [name] = process.argv.slice(2);
if (name === undefined) {
  console.error("Name a commit: node lab/upgrade/build-older.mjs COMMIT");
  process.exit(2);
}
const commit = git("rev-parse", "--verify", `${name}^{commit}`);
const kept = join(tmpdir(), `stowage-older-${commit}`);
if (!existsSync(kept)) {
  console.error(`Building ${git("log", "-1", "--format=%h %s", commit)} …`);
  const dir = mkdtempSync(join(tmpdir(), "stowage-older-"));
  try {
    git("archive", "--format=tar", `--output=${join(dir, "source.tar")}`, commit);
    run("tar", ["-xf", "source.tar"], dir);
    const install = ["install", "--frozen-lockfile", "--prefer-offline", "--reporter=silent"];
    run("pnpm", [...install, "--filter", "@stowage/service..."], dir);
    run(process.execPath, ["scripts/bundle.mjs"], join(dir, "apps", "service"));
    rmSync(join(dir, "source.tar"));
    renameSync(dir, kept);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
console.log(join(kept, "apps", "service", "dist"));
