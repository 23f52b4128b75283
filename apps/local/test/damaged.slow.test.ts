import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aFolder, aRun, demoOf, type Run } from "./fixtures/a-run.js";
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

const inFolder = (name: string) => join(folder.path, name);

async function refusal(settings?: Record<string, string>): Promise<string> {
  run = aRun(folder.path, settings);
  expect(await run.exit).toBe(1);
  expect(await processesLeft(folder.path)).toEqual([]);
  return run.output().replace(/^Starting …\n/, "");
}

async function stopped(settings?: Record<string, string>): Promise<void> {
  run = aRun(folder.path, settings);
  await run.ready;
  run.interrupt();
  await run.exit;
}

describe("says in one sentence what to do when", () => {
  test.each(["dev-store.json", "storage-events.json"])("%s is damaged", async (name) => {
    for (const text of ["{", "", "null", "{}", '{"secret":1,"access_key_id":1}']) {
      await writeFile(inFolder(name), text);
      expect(await refusal({ DATABASE_URL: "postgres://127.0.0.1:1/none" })).toBe(
        `The file ${inFolder(name)} is damaged: delete it, and the next start makes a new one.\n`,
      );
      expect(await readFile(inFolder(name), "utf8")).toBe(text);
    }
  });

  test.each(["postgres", "store", "logs"])("a file lies where the folder %s belongs", async (name) => {
    await writeFile(inFolder(name), "");
    const settings: Record<string, string> =
      name === "store" ? { DATABASE_URL: "postgres://127.0.0.1:1/none" } : {};
    expect(await refusal(settings)).toBe(
      `${inFolder(name)} is a file where a folder belongs: move it away, or set STOWAGE_DATA_DIR to another folder.\n`,
    );
  });

  test("the database that DATABASE_URL names is not there", async () => {
    const said = await refusal({ DATABASE_URL: "postgres://127.0.0.1:1/none" });
    expect(said).toMatch(/^service did not start: The database that DATABASE_URL names cannot be reached/);
    expect(said.trimEnd().split("\n")).toHaveLength(1);
    expect(said).toContain(`${inFolder("logs")}/service.log says more.`);
  });

  test("demo.json is a folder, and makes no project for it", async () => {
    await stopped();
    await rm(inFolder("demo.json"));
    await mkdir(inFolder("demo.json"));
    for (let again = 0; again < 2; again++) {
      expect(await refusal()).toBe(
        `The file ${inFolder("demo.json")} cannot be read (EISDIR): move it away, and the next start makes a new one.\n`,
      );
    }
    expect((await readdir(folder.path)).filter((name) => /^demo\.json\../.test(name))).toEqual([]);
    await rm(inFolder("demo.json"), { recursive: true });
    run = aRun(folder.path);
    await run.ready;
    expect(await countProjects(folder.path)).toBe(2);
  });
});

test("a key in demo.json that cannot be one is never shown, and made anew", async () => {
  await stopped();
  const demo = await demoOf(folder.path);
  for (const api_key of [`${demo.api_key}\nx`, "a\r\nb: c", "", "見積書"]) {
    await writeFile(inFolder("demo.json"), JSON.stringify({ ...demo, api_key }));
    await stopped();
    expect(run.output()).toContain("Stowage is running.");
    expect((await demoOf(folder.path)).api_key).toMatch(/^stow_live_[0-9A-Za-z]{49}$/);
  }
});
