import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const TIMEOUT_MS = 180_000;

/** Asks turbo what it would hash for the tasks, as in a downloaded archive: git finds no repository. */
async function dryRun(...tasks: string[]) {
  const turbo = join(root, "node_modules", ".bin", "turbo");
  const { stdout } = await promisify(execFile)(turbo, ["run", ...tasks, "--dry=json"], {
    cwd: root,
    env: {
      ...process.env,
      // turbo calls pnpm.
      PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}`,
      GIT_DIR: join(root, "no-such-folder"),
      TURBO_TELEMETRY_DISABLED: "1",
      DO_NOT_TRACK: "1",
    },
    timeout: TIMEOUT_MS,
    maxBuffer: 1 << 28,
  });
  return JSON.parse(stdout) as {
    scm: { sha: string | null };
    tasks: {
      taskId: string;
      inputs: Record<string, string>;
      resolvedTaskDefinition: { inputs: string[] };
    }[];
  };
}

/** Matches a path if .gitignore names one of its folders, the file, or its ending. */
function ignoredPattern(): RegExp {
  const lines = readFileSync(join(root, ".gitignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const sources = lines.map((line) => line.replaceAll(".", String.raw`\.`).replaceAll("*", "[^/]*"));
  return new RegExp(`(^|/)(${sources.map((each) => (each.endsWith("/") ? each : `${each}$`)).join("|")})`);
}

test("a checkout without .git hashes no installed package and nothing that was built", async () => {
  const { scm, tasks } = await dryRun("build", "types", "test", "test:fast");
  expect(scm.sha).toBeNull();
  expect(tasks.length).toBeGreaterThan(50);
  const read = tasks.flatMap(({ taskId, inputs }) => Object.keys(inputs).map((path) => `${taskId} ${path}`));
  expect(read.length).toBeGreaterThan(5_000);
  const ignored = ignoredPattern();
  expect(read.filter((each) => ignored.test(each.slice(each.indexOf(" ") + 1)))).toEqual([]);
  // Without git, turbo expands $TURBO_DEFAULT$ by walking node_modules, also where a later pattern excludes it. That took minutes.
  const walking = tasks.filter(({ resolvedTaskDefinition: { inputs } }) =>
    inputs.includes("$TURBO_DEFAULT$"),
  );
  expect(walking.map(({ taskId }) => taskId)).toEqual([]);
});
