import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, test } from "vitest";
import { aFolder, aRun } from "../fixtures/a-run.js";
import { countProjects } from "../fixtures/query-database.js";
import { remainingProcesses } from "../fixtures/remaining-processes.js";

// Most of the time these tests wait, so two of them run at the same time (maxConcurrency in vitest.config.ts).
describe.concurrent("Ctrl-C during the first start", () => {
  test.for([0, 100, 200, 350, 500, 750, 1000, 1300, 1600, 2000, 2500, 3000])(
    "after %i ms ends all processes without an error",
    async (delayMs, { expect }) => {
      await using folder = await aFolder();
      await using run = aRun(folder.path);
      await once(run.child.stdout!, "data");
      await sleep(delayMs);
      run.interrupt();
      expect(await run.exit).toBe(0);
      expect(run.output()).toMatch(/^Starting …\n[^]*\nStopping …\n$/);
      expect(run.output()).not.toMatch(/fail|error|did not start/i);
      expect(await remainingProcesses(folder.path)).toEqual([]);
      const files = await readdir(folder.path);
      // The start takes longer than this, so the file exists only if the start continued after Ctrl-C.
      if (delayMs <= 500) expect(files).not.toContain("demo.json");
    },
  );

  test("while the demo project is created leaves one project with a stored key", async ({ expect }) => {
    await using folder = await aFolder();
    await using run = aRun(folder.path);
    const log = join(folder.path, "logs", "service.log");
    await expect
      .poll(() => readFile(log, "utf8").catch(() => ""), { timeout: 90_000, interval: 5 })
      .toContain('"route":"/trpc/'); // the call that creates the operator
    await sleep(100); // then the command line, which creates the project, runs
    run.interrupt();
    expect(await run.exit).toBe(0);
    await using next = aRun(folder.path);
    await next.ready;
    expect(await countProjects(folder.path)).toBe(1);
  });

  test("leaves a data folder with which the next start works", async ({ expect }) => {
    await using folder = await aFolder();
    await using run = aRun(folder.path);
    await once(run.child.stdout!, "data");
    await sleep(400);
    run.interrupt();
    await run.exit;
    await using next = aRun(folder.path);
    await next.ready;
    next.interrupt();
    expect(await next.exit).toBe(0);
  });
});
