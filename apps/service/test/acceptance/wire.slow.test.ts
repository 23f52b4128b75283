import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Case, casesOf, type Run, startRun } from "@stowage/acceptance";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { aBucket } from "../fixtures/a-bucket.js";
import { aDatabase } from "../fixtures/a-database.js";
import { aProcess } from "../fixtures/a-process.js";
import { stowage } from "../fixtures/command-line.js";

/*
 * Asks the built service all cases of `stowage verify`. No project has everything, such as a trash and no trash, so what the first one
 * lacks is asked of the second one.
 */
const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const ORIGIN = "https://app.example.com";

/** A bucket with rules for ORIGIN, of a store that has no call for them. */
const bucketWithCors = process.env["BUCKET_WITH_CORS"];

const runs: Run[] = [];
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await aDatabase();
  ends.push(() => database.drop());
  const settings = {
    ...inject("servers"),
    DATABASE_URL: database.url,
    S3_BUCKET: bucketWithCors ?? (await aBucket()),
    PORT: "0",
    DASHBOARD_DIR: "none",
  };
  if (bucketWithCors === undefined)
    expect(await stowage(["cors", "apply", "--origin", ORIGIN], settings)).toMatchObject({ code: 0 });
  const plain = await aProcess(settings);
  ends.push(() => plain.kill());
  runs.push(await startRun({ url: plain.url, key: await aKey(settings, []) }));

  const publicBucket = inject("publicBucket");
  const withPublicFiles = {
    ...settings,
    ...(publicBucket !== null && { S3_PUBLIC_BUCKET: publicBucket }),
    ...(process.env["PUBLIC_BASE_URL"] && { PUBLIC_BASE_URL: process.env["PUBLIC_BASE_URL"] }),
  };
  const rich = await aProcess(withPublicFiles);
  ends.push(() => rich.kill());
  const worker = spawn(process.execPath, [CLI, "worker"], {
    env: { PATH: process.env["PATH"], ...withPublicFiles },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(worker, "message");
  ends.push(async () => {
    worker.kill();
    await once(worker, "exit");
  });
  const key = await aKey(withPublicFiles, [
    "--trash-days",
    "30",
    "--max-versions",
    "3",
    "--scan",
    "external",
  ]);
  runs.push(await startRun({ url: rich.url, key, origin: ORIGIN, preset: "small" }));
});

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/** Creates a project with these settings and an image preset. */
async function aKey(settings: Record<string, string>, options: string[]): Promise<string> {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await stowage([...args, "--json"], settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout) as { project_ref: string; api_key: string };
  };
  const { project_ref, api_key } = await run("project", "create", "Acceptance", "--trash-days", "0");
  if (options.length > 0) await run("project", "set", project_ref, ...options);
  await run("preset", "set", "small", "--project", project_ref, "--width", "64");
  return api_key;
}

async function ask(one: Case): Promise<void> {
  const able = runs.filter((run) => run.reasonToLeaveOut(one) === undefined);
  expect(able, "a run that can ask the case").not.toEqual([]);
  await able[0]!.ask(one);
}

const cases = casesOf("full");
const topics = [...new Set(cases.map(({ topic }) => topic))];

describe.concurrent.each(topics)("%s", (topic) => {
  test.each(cases.filter((one) => one.topic === topic))("$name", ask);
});

test("leaves nothing behind", async () => {
  for (const run of runs) expect((await run.end()).left).toEqual([]);
});
