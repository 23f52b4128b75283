import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aFolder, aRun, type Folder, readDemo, type Run } from "../fixtures/a-run.js";
import { countProjects } from "../fixtures/query-database.js";
import { remainingProcesses } from "../fixtures/remaining-processes.js";

let folder: Folder;
let run: Run;
beforeEach(async () => {
  folder = await aFolder();
});
afterEach(async () => {
  await run[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const inFolder = (name: string) => join(folder.path, name);
/** Makes a start fail after it has checked the data folder, without starting PostgreSQL. */
const NO_DATABASE = { DATABASE_URL: "postgres://127.0.0.1:1/none" };

/** Expects a start to fail. @returns what it printed */
async function failedStart(settings?: Record<string, string>): Promise<string> {
  run = aRun(folder.path, settings);
  expect(await run.exit).toBe(1);
  expect(await remainingProcesses(folder.path)).toEqual([]);
  return run.output().replace(/^Starting …\n/, "");
}

async function startAndStop(): Promise<void> {
  run = aRun(folder.path);
  await run.ready;
  run.interrupt();
  await run.exit;
}

describe("prints one message that says what to do if", () => {
  test.each(["dev-store.json", "storage-events.json"])("%s is damaged", async (name) => {
    for (const text of ["{", "", "null", "{}", '{"secret":1,"access_key_id":1}']) {
      await writeFile(inFolder(name), text);
      expect(await failedStart(NO_DATABASE)).toBe(
        `The file ${inFolder(name)} is damaged. Delete it, and the next start creates a new one.\n`,
      );
      expect(await readFile(inFolder(name), "utf8")).toBe(text);
    }
  });

  test.each(["postgres", "store", "logs"])("a file has the name of the folder %s", async (name) => {
    await writeFile(inFolder(name), "");
    const settings: Record<string, string> = name === "store" ? NO_DATABASE : {};
    expect(await failedStart(settings)).toBe(
      `${inFolder(name)} is a file, but Stowage needs a folder of this name. Move the file away, or set STOWAGE_DATA_DIR to another folder.\n`,
    );
  });

  test("the database of DATABASE_URL cannot be reached", async () => {
    const output = await failedStart(NO_DATABASE);
    expect(output).toMatch(
      /^service did not start: Cannot connect to PostgreSQL at 127\.0\.0\.1:1 as .*: connection refused/,
    );
    expect(output.trimEnd().split("\n")).toHaveLength(1);
    expect(output).toContain(`See the log: ${inFolder("logs")}/service.log`);
  });

  test("demo.json is a folder, and creates no project", async () => {
    await startAndStop();
    await rm(inFolder("demo.json"));
    await mkdir(inFolder("demo.json"));
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await failedStart()).toBe(
        `The file ${inFolder("demo.json")} cannot be read (EISDIR). Move it away, and the next start creates a new one.\n`,
      );
    }
    expect((await readdir(folder.path)).filter((name) => /^demo\.json\../.test(name))).toEqual([]);
    await rm(inFolder("demo.json"), { recursive: true });
    run = aRun(folder.path);
    await run.ready;
    expect(await countProjects(folder.path)).toBe(2);
  });
});

test("replaces an invalid key in demo.json without printing it", async () => {
  await startAndStop();
  const demo = await readDemo(folder.path);
  for (const api_key of [`${demo.api_key}\nx`, "a\r\nb: c", "", "見積書"]) {
    await writeFile(inFolder("demo.json"), JSON.stringify({ ...demo, api_key }));
    await startAndStop();
    expect(run.output()).toContain("Stowage is running.");
    expect((await readDemo(folder.path)).api_key).toMatch(/^stow_live_[0-9A-Za-z]{49}$/);
  }
});
