import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aFolder, aRun, type Folder } from "../fixtures/a-run.js";

const LOCK_DATA_DIR = fileURLToPath(new URL("../fixtures/lock-data-dir.mjs", import.meta.url));

let folder: Folder;
let started: ChildProcess[];
beforeEach(async () => {
  folder = await aFolder();
  started = [];
});
afterEach(async () => {
  await killAll();
  await folder[Symbol.asyncDispose]();
});

/** Kills the processes without a chance to clean up, as a power failure does. */
async function killAll(): Promise<void> {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

/** Starts a process that can open the data folder. @returns `open`, which resolves with "opened" or the error's message */
async function aProcess(): Promise<{ pid: number; open: () => Promise<string> }> {
  // Without vitest's conditions it loads what is built, as a user's process does.
  const child = fork(LOCK_DATA_DIR, [folder.path], { execArgv: [] });
  started.push(child);
  await once(child, "message");
  const open = async () => {
    child.send("open");
    return String(((await once(child, "message")) as unknown[])[0]);
  };
  return { pid: child.pid!, open };
}

describe("the data folder", () => {
  test("is opened by exactly one of six simultaneous processes, for all files that earlier processes may leave", async () => {
    const unrelated = spawn("sleep", ["600"]);
    for (let round = 0; round < 10; round++) {
      started.push(unrelated);
      const leftover = ["", "999999999", String(unrelated.pid)][round % 3]!;
      await writeFile(join(folder.path, "running.pid"), leftover);
      const processes = await Promise.all(Array.from({ length: 6 }, aProcess));
      const answers = await Promise.all(processes.map((process) => process.open()));
      const winner = processes[answers.indexOf("opened")];
      // A process that fails before the winner answers on its socket cannot name the winner.
      const refusal =
        "Stowage is already running with this data folder. Stop it first, or set STOWAGE_DATA_DIR to another folder.";
      const withoutPid = answers.map((answer) => answer.replace(` (process ${winner?.pid})`, ""));
      expect(withoutPid.toSorted()).toEqual([...Array.from({ length: 5 }, () => refusal), "opened"]);
      started.splice(started.indexOf(unrelated), 1);
      await killAll();
    }
    started.push(unrelated);
  }, 120_000);

  test.each(["/proc/stow", "/proc/stow/deeper", "/dev/null", "/dev/null/stow"])(
    "cannot be %s, and one message says why",
    async (path) => {
      const run = aRun(path);
      started.push(run.child);
      expect(await run.exit).toBe(1);
      expect(run.output()).toMatch(
        /^Starting …\nThe data folder \S+ cannot be used \(E[A-Z]+\)\. Set STOWAGE_DATA_DIR to a folder that this user can write\.\n$/,
      );
    },
  );
});
