import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startDevStore } from "@stowage/dev-store";
import { readSettings } from "@stowage/local/src/settings.js";
import { startLocal } from "@stowage/local/src/start-local.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aFolder, aRun, type Folder, readDemo, type Run, uploadText } from "../fixtures/a-run.js";
import { remainingProcesses } from "../fixtures/remaining-processes.js";

let folder: Folder;
let runs: Run[];
beforeEach(async () => {
  folder = await aFolder();
  runs = [];
});
afterEach(async () => {
  for (const run of runs) await run[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

function start(settings?: Record<string, string>): Run {
  const run = aRun(folder.path, settings);
  runs.push(run);
  return run;
}

describe("npm start", () => {
  test("starts everything, protects the demo key, and ends every process on Ctrl-C", async () => {
    const run = start();
    const urls = await run.ready;
    const demo = await readDemo(folder.path);
    expect(demo).toEqual({
      base_url: urls.service,
      api_key: expect.stringMatching(/^stow_live_[0-9A-Za-z]{49}$/),
      project_ref: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
    });
    expect((await stat(join(folder.path, "demo.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(folder.path)).mode & 0o077).toBe(0);
    expect((await fetch(`${urls.service}/readyz`)).status).toBe(200);
    expect((await fetch(urls.example)).headers.get("content-type")).toMatch(/^text\/html/);
    await uploadText(folder.path, "hello");
    expect(run.output()).not.toContain(demo.api_key);
    expect((await stat(join(folder.path, "service.json"))).mode & 0o777).toBe(0o600);
    expect((await stowage(folder.path, "usage")).stdout).toContain(demo.project_ref);
    for (const name of ["S3_BUCKET", "STORAGES_FILE"])
      await expect(stowage(folder.path, "usage", { [name]: "another" })).rejects.toThrow(
        "DATABASE_URL is required",
      );

    run.child.kill("SIGINT");
    run.child.kill("SIGINT"); // npm forwards the signal that the terminal has sent already
    expect(await run.exit).toBe(0);
    expect(await remainingProcesses(folder.path)).toEqual([]);
    await expect(stowage(folder.path, "usage")).rejects.toThrow("DATABASE_URL is required");
  });

  test("writes the settings for commands before it starts the service", async () => {
    // It takes the place of the service, says what it reads, and ends.
    const program = join(folder.path, "service.mjs");
    await writeFile(
      program,
      `import { readFileSync } from "node:fs";
      console.error(JSON.parse(readFileSync(new URL("data/service.json", import.meta.url), "utf8")).S3_BUCKET);`,
    );
    const env = {
      PORT: "0",
      DATABASE_URL: "postgres://database",
      S3_ENDPOINT: "http://storage",
      S3_BUCKET: "bucket-of-the-file",
      S3_ACCESS_KEY_ID: "id",
      S3_SECRET_ACCESS_KEY: "secret",
    };
    const dataDir = join(folder.path, "data");
    const programs = { store: program, service: program, cli: program };
    await expect(startLocal(readSettings(env, { programs, dataDir }))).rejects.toThrow(
      "service did not start: bucket-of-the-file See the log",
    );
    expect(await readdir(dataDir)).not.toContain("service.json");
  });

  test("lets storage notify the service of uploads, so that they are counted without a sweep or a completion call", async () => {
    const run = start({ SWEEP_INTERVAL_MS: "0" });
    const { service } = await run.ready;
    const { api_key } = await readDemo(folder.path);
    const { path } = await uploadText(folder.path, "notify");
    await expect
      .poll(async () => {
        const answer = await fetch(`${service}/api/storage/files/`, {
          headers: { Authorization: `Bearer ${api_key}` },
        });
        return answer.json();
      })
      .toMatchObject({ files: [{ file_path: path, status: "stored", size: 6 }] });
    const secretFile = join(folder.path, "storage-events.json");
    expect((await stat(secretFile)).mode & 0o777).toBe(0o600);
    const { secret } = JSON.parse(await readFile(secretFile, "utf8")) as { secret: string };
    for (const name of ["service.log", "dev-store.log"]) {
      expect(await readFile(join(folder.path, "logs", name), "utf8")).not.toContain(secret);
    }
  });

  test("reuses all data at the second start", async () => {
    const first = start();
    await first.ready;
    const demo = await readDemo(folder.path);
    const { path } = await uploadText(folder.path, "kept");
    first.child.kill("SIGINT");
    await first.exit;

    const second = start();
    const { service } = await second.ready;
    expect(await readDemo(folder.path)).toEqual({ ...demo, base_url: service });
    const complete = await fetch(`${service}/api/storage/complete/`, {
      method: "POST",
      headers: { Authorization: `Bearer ${demo.api_key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ file_path: path }),
    });
    expect(await complete.json()).toMatchObject({ status: "stored", size: 4 });
  });

  test("with STORAGES_FILE, uses the storages of the file, with the keys that it names", async () => {
    const keys = { accessKeyId: "test-access-key", secretAccessKey: "test-secret-key" };
    const store = await startDevStore({ dir: join(folder.path, "eu"), ...keys, buckets: ["files-eu"] });
    const own = { access_key_id_env: "EU_KEY", secret_access_key_env: "EU_SECRET" };
    const eu = { endpoint: store.endpoint, region: "us-east-1", bucket: "files-eu", ...own };
    const us = { ...eu, bucket: "files-us" };
    const file = join(folder.path, "storages.json");
    await writeFile(file, JSON.stringify({ default: "eu", us, eu }));
    const settings = { STORAGES_FILE: relative(process.cwd(), file), EU_KEY: keys.accessKeyId };
    const refused = start(settings);
    expect(await refused.exit).toBe(1);
    expect(refused.output()).toContain(
      "service did not start: STORAGES_FILE: eu.secret_access_key_env names an environment variable that is not set.",
    );

    const run = start({ ...settings, EU_SECRET: keys.secretAccessKey });
    await run.ready;
    expect(run.output()).toContain("Storage    the storages of your STORAGES_FILE setting");
    expect(run.output()).not.toContain(keys.secretAccessKey);
    const { url } = await uploadText(folder.path, "hello");
    expect(url.startsWith(`${store.endpoint}/files-eu/`)).toBe(true);
    // The command line runs in another folder and finds the file, and the project has recorded its storage.
    const { stdout } = await stowage(folder.path, "project list --json", {}, tmpdir());
    expect(JSON.parse(stdout)).toMatchObject([{ name: "Demo", storage: "eu" }]);
    run.child.kill("SIGINT");
    await run.exit;
    await store.stop();
  });

  test("leaves only PostgreSQL running when it is killed, and the next start replaces that server", async () => {
    const first = start();
    await first.ready;
    const { path } = await uploadText(folder.path, "survives");
    first.child.kill("SIGKILL");
    await first.exit;
    await expect
      .poll(async () => (await remainingProcesses(folder.path)).filter((line) => !/postgres/.test(line)))
      .toEqual([]);

    const second = start();
    const { service } = await second.ready;
    const { api_key } = await readDemo(folder.path);
    const files = await fetch(`${service}/api/storage/files/`, {
      headers: { Authorization: `Bearer ${api_key}` },
    });
    expect(await files.json()).toMatchObject({ files: [{ file_path: path }] });
  });

  test("refuses to start on a data folder that another process uses", async () => {
    const first = start();
    await first.ready;
    const second = start();
    expect(await second.exit).toBe(1);
    expect(second.output()).toContain(
      `Stowage is already running with this data folder (process ${first.child.pid}).`,
    );
  });

  test("refuses to start on a port that is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const run = start({ PORT: String(port) });
    expect(await run.exit).toBe(1);
    expect(run.output()).toBe(
      `Starting …\nPort ${port} for the service is already in use. Stop the program that uses it, or set PORT to another number.\n`,
    );
    other.close();
  });

  test.each([
    [
      { PORT: "http" },
      "PORT must be a whole number from 1 to 65533, or 0 for free ports. Stowage also uses the two ports that follow it.",
    ],
    [
      { S3_ENDPOINT: "http://127.0.0.1:9000", S3_BUCKET: "b" },
      "To use your own S3 storage, set all of S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY. " +
        "Missing: S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY.",
    ],
    [
      { DATABASE_URL: "mysql://x" },
      "service did not start: The setting DATABASE_URL must start with postgres://.",
    ],
    [
      { DEFAULT_QUOTA_BYTES: "lots" },
      "service did not start: The setting DEFAULT_QUOTA_BYTES must be a number.",
    ],
  ])("with %j prints one message, exits with 1 and leaves no process running", async (settings, message) => {
    const run = start(settings as Record<string, string>);
    expect(await run.exit).toBe(1);
    const hint = message.startsWith("service") ? ` See the log: ${folder.path}/logs/service.log` : "";
    expect(run.output().trim().split("\n").at(-1)).toBe(message + hint);
    expect(await remainingProcesses(folder.path)).toEqual([]);
  });
});

/** What `npx pnpm stowage` runs. */
function stowage(
  dataDir: string,
  command: string,
  settings: Record<string, string> = {},
  cwd = process.cwd(),
) {
  const script = fileURLToPath(new URL("../../scripts/stowage.mjs", import.meta.url));
  return promisify(execFile)(process.execPath, [script, ...command.split(" ")], {
    cwd,
    env: { PATH: process.env["PATH"], STOWAGE_DATA_DIR: dataDir, ...settings },
    timeout: 60_000,
  });
}
