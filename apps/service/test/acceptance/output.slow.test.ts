import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@stowage/dev-postgres";
import { afterEach, describe, expect, inject, test } from "vitest";

/*
 * The built service with a stdout and stderr that take nothing. Nothing of its code is imported here.
 */
const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Output {
  /** The descriptor that the service gets as stdout and stderr. */
  fd: number;
  /** Reads what the service has written. */
  read?(): string;
}

/** A named pipe that nothing reads until the test does. */
async function anUnreadPipe(): Promise<Required<Output> & { closeReader(): void }> {
  const dir = await mkdtemp(join(tmpdir(), "stowage-output-"));
  ends.push(() => rm(dir, { recursive: true }));
  const path = join(dir, "pipe");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  // Without O_NONBLOCK, as a shell opens it.
  const fd = openSync(path, "w");
  let isOpen = true;
  const closeReader = () => {
    if (isOpen) closeSync(reader);
    isOpen = false;
  };
  ends.push(closeReader);
  return { fd, closeReader, read: () => readAll(reader) };
}

async function aClosedPipe(): Promise<Output> {
  const { fd, closeReader } = await anUnreadPipe();
  closeReader();
  return { fd };
}

const aFullDisk = async (): Promise<Output> => ({ fd: openSync("/dev/full", "w") });

function readAll(fd: number): string {
  let text = "";
  const chunk = Buffer.alloc(65_536);
  try {
    for (let size; (size = readSync(fd, chunk)) > 0;) text += chunk.toString("utf8", 0, size);
  } catch {
    // The pipe is empty.
  }
  return text;
}

function run({ fd }: Output, settings: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env["PATH"],
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
      SWEEP_INTERVAL_MS: "0",
      DASHBOARD_DIR: "none",
      DRAIN_SECONDS: "50",
      ...inject("servers"),
      ...settings,
    },
    stdio: ["ignore", fd, fd],
  });
  closeSync(fd);
  const exit = once(child, "exit").then(([code]) => code as number | null);
  ends.push(async () => {
    child.kill("SIGKILL");
    await exit;
  });
  return { child, exit };
}

/** Starts the service. Its output cannot tell when it listens. */
async function start(output: Output) {
  const port = await freePort();
  const { child, exit } = run(output, { PORT: String(port) });
  const url = `http://127.0.0.1:${port}/healthz`;
  await expect
    .poll(() =>
      fetch(url).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  return { child, exit, url };
}

/** Sends requests over 16 connections, and expects an answer to each. */
async function expectAnswers(url: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let answered = 0;
  const ask = async () => {
    const status = await new Promise((resolve, reject) => {
      const request = get(url, { agent, timeout: 30_000 }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode));
      });
      request.on("timeout", () => request.destroy(new Error("no answer in 30 s")));
      request.on("error", (cause) => reject(new Error(`stopped after ${answered} answers`, { cause })));
    });
    expect(status).toBe(200);
    answered++;
  };
  let left = count;
  const work = async () => {
    while (left-- > 0) await ask();
  };
  await Promise.all(Array.from({ length: 16 }, work));
  agent.destroy();
}

describe.each<[string, () => Promise<Output>]>([
  ["a pipe that is not read", anUnreadPipe],
  ["a closed pipe", aClosedPipe],
  ["a full disk", aFullDisk],
])("with %s as its output the service", (_what, open) => {
  test("answers as usual, and ends in time", async () => {
    const { child, exit, url } = await start(await open());
    // Twice as many lines as a pipe takes.
    await expectAnswers(url, 1000);
    const startedAt = performance.now();
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
    // A drain that waits for something takes DRAIN_SECONDS.
    expect(performance.now() - startedAt).toBeLessThan(40_000);
  });

  test("ends in time after an error at the start", async () => {
    const output = await open();
    const startedAt = performance.now();
    expect(await run(output, { PORT: "0", DATABASE_URL: "postgres://u:p@127.0.0.1:1/d" }).exit).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });
});

test("the log reports how many lines were lost, when it can be written again", async () => {
  // More than a pipe and the service hold.
  const requests = 8000;
  const pipe = await anUnreadPipe();
  const { child, exit, url } = await start(pipe);
  const polls = async () => (await fetch(url)).status;
  await expectAnswers(url, requests);
  let log = "";
  await expect.poll(() => (log += pipe.read()), { interval: 5 }).toContain("lines of this log were lost");
  expect(await polls()).toBe(200);
  child.kill("SIGTERM");
  expect(await exit).toBe(0);
  log += pipe.read();
  const lines = log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { msg: string; lines?: number });
  const logged = lines.filter(({ msg }) => msg === "request").length;
  const lost = lines.find(({ msg }) => msg.startsWith("lines of this log"))!.lines!;
  expect(lost).toBeGreaterThan(0);
  expect(logged + lost).toBeGreaterThan(requests);
  expect(lines.at(-1)).toMatchObject({ msg: "stopped", end: "drained" });
});
