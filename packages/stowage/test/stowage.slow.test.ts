import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { aFolder, aRun, type Folder, readDemo, type Run, uploadText } from "@stowage/e2e/fixtures/a-run.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const BIN = fileURLToPath(new URL("../bin/stowage.mjs", import.meta.url));
/** Only these, because a setting of this machine must not reach a test. */
const { PATH = "", HOME = "" } = process.env;

let folder: Folder;
const runs: Run[] = [];
beforeEach(async () => {
  folder = await aFolder();
});
afterEach(async () => {
  for (const run of runs.splice(0)) await run[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** Runs `stowage` without a command. Its data folder is the default one. */
function start(settings: Record<string, string> = {}, cwd = folder.path): Run {
  const run = aRun("", { STOWAGE_DATA_DIR: "", ...settings }, { command: [BIN], cwd });
  runs.push(run);
  return run;
}

function stowage(...args: string[]) {
  return promisify(execFile)(process.execPath, [BIN, ...args], {
    cwd: folder.path,
    env: { PATH, HOME },
    timeout: 120_000,
  });
}

describe("stowage without a command", { timeout: 540_000 }, () => {
  test("starts everything in the current folder, says what runs where, and lets commands manage it", async () => {
    const run = start();
    const { service } = await run.ready;
    const dataDir = join(folder.path, ".stowage");
    expect(run.output()).toMatch(
      /Dashboard {2}http:\S+ {3}sign in as operator@stowage\.test; the password is in \.stowage\/operator\.json\n/,
    );
    expect(run.output()).toMatch(/Service .*the demo project's API key is in \.stowage\/demo\.json\n/);
    expect(run.output()).toMatch(/Storage .*the files are in \.stowage\/store\n/);
    expect(run.output()).toContain("npm create stowage");
    expect(run.output()).not.toContain("Example");
    expect(run.output()).not.toContain((await readDemo(dataDir)).api_key);
    expect(await readFile(join(dataDir, ".gitignore"), "utf8")).toBe("*\n");

    await uploadText(dataDir, "hello");
    const page = await fetch(service, { headers: { Accept: "text/html" } });
    expect(await page.text()).toContain('<div id="root">');
    const docs = await fetch(`${service}/docs/`, { headers: { "Accept-Encoding": "br" } });
    expect(await docs.text()).toContain("<title>Overview | Stowage</title>");
    expect(docs.headers.get("content-encoding")).toBe("br");
    expect(await (await fetch(`${service}/docs/api.md`)).text()).toContain("# The REST API");
    expect(await (await fetch(service)).json()).toMatchObject({ version: await version() });
    expect((await stowage("project", "list")).stdout).toContain("Demo");

    run.child.kill("SIGINT");
    expect(await run.exit).toBe(0);
    await expect(stowage("project", "list")).rejects.toThrow("DATABASE_URL is required");
  });

  test("names a port that is in use", async () => {
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

  test("names a folder that it cannot write", async () => {
    const run = start({}, "/proc");
    expect(await run.exit).toBe(1);
    expect(run.output()).toMatch(
      /^Starting …\nThe data folder \/proc\/\.stowage cannot be used \(E[A-Z]+\)\. Set STOWAGE_DATA_DIR to a folder that this user can write\.\n$/,
    );
  });

  test("says which port follows PORT", async () => {
    const run = start({ PORT: "http" });
    expect(await run.exit).toBe(1);
    expect(run.output()).toBe(
      "PORT must be a whole number from 1 to 65533, or 0 for free ports. Stowage also uses the port that follows it.\n",
    );
  });
});

describe("stowage with a command", () => {
  test("explains itself", async () => {
    const { stdout } = await stowage("--help");
    expect(stdout).toMatch(/^stowage +starts everything/);
    expect(stdout).toMatch(/\n {2}doctor /);
  });

  test("prints its version", async () => {
    expect((await stowage("--version")).stdout).toBe(`${await version()}\n`);
  });

  test("serve starts only the service, with the settings of the environment", async () => {
    await expect(stowage("serve")).rejects.toThrow("DATABASE_URL is required");
  });
});

async function version(): Promise<string> {
  const manifest = await readFile(fileURLToPath(new URL("../package.json", import.meta.url)), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
