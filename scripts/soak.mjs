// `pnpm soak MINUTES`: mixed load on several replicas of the built service, with faults, and then checks of everything that it
// promises. SEED= repeats the choices of a run. docs/soak.md describes it. It is not part of `npm test`, because it takes long.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const MAX_MINUTES = 24 * 60 - 30;
const CHECKS_MINUTES = 20;

const minutes = Number(process.argv[2]);
if (!(minutes > 0 && minutes <= MAX_MINUTES)) {
  console.error(`Say how many minutes, at most ${MAX_MINUTES}: npx pnpm soak 30`);
  process.exit(1);
}
const env = {
  ...process.env,
  MINUTES: String(minutes),
  PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}`,
};
const run = (command, args, cwd) =>
  spawnSync(command, args, { cwd, env, stdio: "inherit", timeout: (minutes + CHECKS_MINUTES) * 60_000 })
    .status ?? 1;
const status =
  run("turbo", ["run", "build", "--filter=@stowage/service...", "--output-logs=errors-only"], root) ||
  run(
    "vitest",
    ["run", "--config", "vitest.soak.config.ts", "--project", "soak"],
    join(root, "apps", "service"),
  );
process.exit(status);
