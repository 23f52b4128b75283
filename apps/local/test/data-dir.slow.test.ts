import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aFolder, aRun } from "./fixtures/a-run.js";

const TAKE = fileURLToPath(new URL("./fixtures/take-data-dir.mjs", import.meta.url));

let folder: Awaited<ReturnType<typeof aFolder>>;
let started: ChildProcess[];
beforeEach(async () => {
  folder = await aFolder();
  started = [];
});
afterEach(async () => {
  await endAll();
  await folder.remove();
});

/** As an outage ends them: nobody gets to tidy up. */
async function endAll(): Promise<void> {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

async function aStart(): Promise<{ pid: number; take: () => Promise<string> }> {
  const child = fork(TAKE, [folder.path]);
  started.push(child);
  await once(child, "message");
  const take = async () => {
    child.send("take it");
    return String(((await once(child, "message")) as unknown[])[0]);
  };
  return { pid: child.pid!, take };
}

describe("the data folder", () => {
  test("lets one of six starts at once in, over whatever earlier ones left behind", async () => {
    const stranger = spawn("sleep", ["60"]);
    for (let round = 0; round < 10; round++) {
      started.push(stranger);
      const leftover = ["", "999999999", String(stranger.pid)][round % 3]!;
      await writeFile(join(folder.path, "running.pid"), leftover);
      const starts = await Promise.all(Array.from({ length: 6 }, aStart));
      const answers = await Promise.all(starts.map((start) => start.take()));
      const winner = starts[answers.indexOf("in")];
      // Whoever comes in the moment before the winner has written its number cannot name it.
      const refusal = `Stowage is already running on this data folder: end it first, or set STOWAGE_DATA_DIR.`;
      const refused = answers.map((answer) => answer.replace(`, as process ${winner?.pid}:`, ":"));
      expect(refused.toSorted()).toEqual([...Array.from({ length: 5 }, () => refusal), "in"]);
      started.splice(started.indexOf(stranger), 1);
      await endAll();
    }
    started.push(stranger);
  }, 120_000);

  test.each(["/proc/stow", "/proc/stow/deeper", "/dev/null", "/dev/null/stow"])(
    "cannot be %s, which is said in one sentence",
    async (path) => {
      const run = aRun(path);
      started.push(run.child);
      expect(await Promise.race([run.exit, once(AbortSignal.timeout(10_000), "abort")])).toBe(1);
      expect(run.output()).toMatch(
        /^Starting …\nThe data folder \S+ cannot be used \(E[A-Z]+\): set STOWAGE_DATA_DIR to one that can\.\n$/,
      );
    },
  );
});
