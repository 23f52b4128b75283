import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aFolder, aRun, type Run } from "./fixtures/a-run.js";
import { countProjects } from "./fixtures/ask-database.js";
import { processesLeft } from "./fixtures/processes-left.js";

let folder: Awaited<ReturnType<typeof aFolder>>;
let run: Run;
beforeEach(async () => {
  folder = await aFolder();
});
afterEach(async () => {
  if (run.child.exitCode === null && run.child.signalCode === null) run.child.kill("SIGTERM");
  await run.exit;
  await folder.remove();
});

describe("Ctrl-C while it starts for the first time", () => {
  test.each([0, 100, 200, 350, 500, 750, 1000, 1300, 1600, 2000, 2500, 3000])(
    "after %i ms ends what was started, and is no failure",
    async (delayMs) => {
      run = aRun(folder.path);
      await once(run.child.stdout!, "data");
      await sleep(delayMs);
      run.interrupt();
      expect(await run.exit).toBe(0);
      expect(run.output()).toMatch(/^Starting …\n[^]*\nStopping …\n$/);
      expect(run.output()).not.toMatch(/fail|error|did not start/i);
      expect(await processesLeft(folder.path)).toEqual([]);
      const files = await readdir(folder.path);
      if (delayMs <= 500) expect(files).not.toContain("demo.json"); // it did not go on starting
    },
  );

  test("while the demo project is made leaves one project, whose key is kept", async () => {
    run = aRun(folder.path);
    const log = join(folder.path, "logs", "service.log");
    await expect
      .poll(() => readFile(log, "utf8").catch(() => ""), { timeout: 30_000, interval: 5 })
      .toContain('"route":"/trpc/'); // the operator is made
    await sleep(100); // its key is not there yet, so the command line is under way
    run.interrupt();
    expect(await run.exit).toBe(0);
    run = aRun(folder.path);
    await run.ready;
    expect(await countProjects(folder.path)).toBe(1);
  });

  test("a start after one that was cut short runs", async () => {
    run = aRun(folder.path);
    await once(run.child.stdout!, "data");
    await sleep(400);
    run.interrupt();
    await run.exit;
    run = aRun(folder.path);
    await run.ready;
    run.interrupt();
    expect(await run.exit).toBe(0);
  });
});
