import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aFolder, aRun, demoOf, type Run, uploadOne } from "./fixtures/a-run.js";
import { processesLeft } from "./fixtures/processes-left.js";

let folder: Awaited<ReturnType<typeof aFolder>>;
let runs: Run[];
beforeEach(async () => {
  folder = await aFolder();
  runs = [];
});
afterEach(async () => {
  for (const run of runs) {
    if (run.child.exitCode === null && run.child.signalCode === null) run.child.kill("SIGTERM");
    await run.exit;
  }
  await folder.remove();
});

function start(settings?: Record<string, string>): Run {
  const run = aRun(folder.path, settings);
  runs.push(run);
  return run;
}

describe("npm start", () => {
  test("runs everything, keeps the demo key to its owner, and ends every process on Ctrl-C", async () => {
    const run = start();
    const urls = await run.ready;
    const demo = await demoOf(folder.path);
    expect(demo).toEqual({
      base_url: urls.service,
      api_key: expect.stringMatching(/^stow_live_[0-9A-Za-z]{49}$/),
      project_ref: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
    });
    expect((await stat(join(folder.path, "demo.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(folder.path)).mode & 0o077).toBe(0);
    expect((await fetch(`${urls.service}/readyz`)).status).toBe(200);
    expect((await fetch(urls.example)).headers.get("content-type")).toMatch(/^text\/html/);
    await uploadOne(folder.path, "hello");
    expect(run.output()).not.toContain(demo.api_key);

    run.child.kill("SIGINT");
    run.child.kill("SIGINT"); // npm passes on what the terminal has sent already
    expect(await run.exit).toBe(0);
    expect(await processesLeft(folder.path)).toEqual([]);
  });

  test("has storage tell the service of uploads: with no sweep and no completion they are counted all the same", async () => {
    const run = start({ SWEEP_INTERVAL_MS: "0" });
    const { service } = await run.ready;
    const { api_key } = await demoOf(folder.path);
    const { path } = await uploadOne(folder.path, "told of");
    await expect
      .poll(
        async () => {
          const answer = await fetch(`${service}/api/storage/files/`, {
            headers: { Authorization: `Bearer ${api_key}` },
          });
          return answer.json();
        },
        { timeout: 5000 },
      )
      .toMatchObject({ files: [{ file_path: path, status: "stored", size: 7 }] });
    const secretFile = join(folder.path, "storage-events.json");
    expect((await stat(secretFile)).mode & 0o777).toBe(0o600);
    const { secret } = JSON.parse(await readFile(secretFile, "utf8")) as { secret: string };
    for (const name of ["service.log", "dev-store.log"]) {
      expect(await readFile(join(folder.path, "logs", name), "utf8")).not.toContain(secret);
    }
  });

  test("a second time reuses everything", async () => {
    const first = start();
    await first.ready;
    const demo = await demoOf(folder.path);
    const { path } = await uploadOne(folder.path, "kept");
    first.child.kill("SIGINT");
    await first.exit;

    const second = start();
    const { service } = await second.ready;
    expect(await demoOf(folder.path)).toEqual({ ...demo, base_url: service });
    const complete = await fetch(`${service}/api/storage/complete/`, {
      method: "POST",
      headers: { Authorization: `Bearer ${demo.api_key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ file_path: path }),
    });
    expect(await complete.json()).toMatchObject({ status: "stored", size: 4 });
  });

  test("killed outright leaves no process of ours but PostgreSQL, which the next start takes over", async () => {
    const first = start();
    await first.ready;
    const { path } = await uploadOne(folder.path, "survives");
    first.child.kill("SIGKILL");
    await first.exit;
    await expect
      .poll(async () => (await processesLeft(folder.path)).filter((line) => !/postgres/.test(line)), {
        timeout: 15_000,
      })
      .toEqual([]);

    const second = start();
    const { service } = await second.ready;
    const { api_key } = await demoOf(folder.path);
    const files = await fetch(`${service}/api/storage/files/`, {
      headers: { Authorization: `Bearer ${api_key}` },
    });
    expect(await files.json()).toMatchObject({ files: [{ file_path: path }] });
  });

  test("says that its folder is in use already", async () => {
    const first = start();
    await first.ready;
    const second = start();
    expect(await second.exit).toBe(1);
    expect(second.output()).toContain(
      `Stowage is already running on this data folder, as process ${first.child.pid}`,
    );
  });

  test("says in one sentence that a port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const run = start({ PORT: String(port) });
    expect(await run.exit).toBe(1);
    expect(run.output()).toBe(
      `Starting …\nPort ${port}, for the service, is already taken: end what listens there, or set PORT to another number.\n`,
    );
    other.close();
  });

  test.each([
    [
      { PORT: "http" },
      "The setting PORT must be a whole number from 1 to 65533: the two ports after it are used too.",
    ],
    [
      { S3_ENDPOINT: "http://127.0.0.1:9000", S3_BUCKET: "b" },
      "Storage of your own needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: " +
        "S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY are not set.",
    ],
    [
      { DATABASE_URL: "mysql://x" },
      "service did not start: The setting DATABASE_URL must start with postgres://.",
    ],
    [
      { DEFAULT_QUOTA_BYTES: "lots" },
      "service did not start: The setting DEFAULT_QUOTA_BYTES must be a number.",
    ],
  ])("with %j says what is wrong, ends with 1 and leaves nothing running", async (settings, sentence) => {
    const run = start(settings as Record<string, string>);
    expect(await run.exit).toBe(1);
    const more = sentence.startsWith("service") ? ` ${folder.path}/logs/service.log says more.` : "";
    expect(run.output().trim().split("\n").at(-1)).toBe(sentence + more);
    expect(await processesLeft(folder.path)).toEqual([]);
  });
});
