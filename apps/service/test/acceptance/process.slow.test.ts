import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import postgres from "postgres";
import { afterEach, describe, expect, inject, test } from "vitest";

/*
 * Runs the built service as operators do: a process with settings. Nothing of its code is imported here.
 */
const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/** The AWS SDK's warning about Node's version is not tested here. */
const ENVIRONMENT = {
  PATH: process.env["PATH"],
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
  // The sweeper would also check other tests' files.
  SWEEP_INTERVAL_MS: "0",
};

/** The service's answer to the headers of a request that has `Expect: 100-continue`. */
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
});

interface Started {
  child: ChildProcess;
  url: string;
  output(): string;
  exit: Promise<number | null>;
}

function run(settings: Record<string, string>): Omit<Started, "url"> & { ready: Promise<string> } {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...ENVIRONMENT, ...inject("servers"), PORT: "0", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  let output = "";
  // After `exit` the last output may still be on its way.
  const exit = once(child, "close").then(([code]) => code as number | null);
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString("utf8");
      const address = /listening on (http:\/\/[\d.:]+)/.exec(output)?.[1];
      if (address) resolve(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void exit.then(() => reject(new Error(`the service ended: ${output}`)));
  });
  ready.catch(() => undefined);
  return { child, ready, exit, output: () => output };
}

async function start(settings: Record<string, string> = {}): Promise<Started> {
  const { ready, ...rest } = run(settings);
  return { ...rest, url: await ready };
}

const stowage = async (...args: string[]) =>
  promisify(execFile)(process.execPath, [CLI, ...args], {
    env: { PATH: process.env["PATH"], ...inject("servers") },
  });

async function aKey(): Promise<string> {
  const { stdout } = await stowage("project", "create", "Acceptance", "--json");
  return (JSON.parse(stdout) as { api_key: string }).api_key;
}

/** Creates a database without tables, and drops it when `use` has ended. */
async function onAnEmptyDatabase(use: (url: string) => Promise<void>): Promise<void> {
  const url = new URL(inject("servers").DATABASE_URL);
  const admin = postgres(url.href, { max: 1, onnotice: () => undefined });
  const name = `empty_${randomUUID().replaceAll("-", "")}`;
  await admin.unsafe(`create database ${name}`);
  try {
    url.pathname = `/${name}`;
    await use(url.href);
  } finally {
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  }
}

describe("the service as a process", () => {
  test("is alive and ready, and accepts an upload with a key from the command line", async () => {
    const service = await start();
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    const key = await aKey();
    const answer = await fetch(`${service.url}/api/storage/upload/`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ tenant_id: "t", filename: "a.txt" }),
    });
    expect(answer.status).toBe(200);
    const { presigned_url } = (await answer.json()) as { presigned_url: string };
    expect(
      (await fetch(presigned_url, { method: "PUT", headers: { "Content-Type": "text/plain" }, body: "hi" }))
        .status,
    ).toBe(200);
  });

  test("logs no key, no presigned URL and nothing of a body, also after errors", async () => {
    const service = await start({ LOG_LEVEL: "trace" });
    const key = await aKey();
    const send = (body: string, headers: Record<string, string> = {}, path = "/api/storage/upload/") =>
      fetch(service.url + path, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
        body,
      });
    const answer = await send(JSON.stringify({ tenant_id: "tenant-in-log", filename: "name-in-log.txt" }));
    const { presigned_url } = (await answer.json()) as { presigned_url: string };
    await send("{broken");
    await send("{}", { "X-Request-Id": key });
    await send("{}", {}, `/api/storage/upload/?key=${key}`);
    await send("{}", {}, `/${key}`);
    await send("{}", { Authorization: `Bearer ${key.slice(0, -1)}!` });
    const rest = await start({
      LOG_LEVEL: "trace",
      DATABASE_URL: inject("servers").DATABASE_URL,
      S3_ENDPOINT: "http://127.0.0.1:1",
    });
    await fetch(`${rest.url}/readyz`);
    const lines = () => (service.output() + rest.output()).match(/"msg":"request"/g)?.length;
    await expect.poll(lines).toBe(7);
    const logged = service.output() + rest.output();
    expect(logged).not.toContain("stow_live_");
    expect(logged).not.toContain(new URL(presigned_url).searchParams.get("X-Amz-Signature")!);
    expect(logged).not.toMatch(/X-Amz-|in-log|test-secret-key/);
    // A server that trusts its host has no password.
    expect(logged).not.toContain(new URL(inject("servers").DATABASE_URL).password || "postgres://");
  });

  test("finishes and answers running requests on SIGTERM, and exits with 0", async () => {
    const service = await start({ DRAIN_SECONDS: "60" });
    const key = await aKey();
    const { hostname, port } = new URL(service.url);
    const body = JSON.stringify({ tenant_id: "t", filename: "a.txt" });
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    let reply = "";
    socket.on("data", (chunk: Buffer) => (reply += chunk.toString("utf8")));
    socket.write(
      `POST /api/storage/upload/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    await expect.poll(() => reply).toBe(CONTINUE);
    service.child.kill("SIGTERM");
    const answersNewRequest = () =>
      fetch(`${service.url}/healthz`).then(
        () => true,
        () => false,
      );
    await expect.poll(answersNewRequest).toBe(false);
    socket.write(body.slice(10));
    await once(socket, "close");
    expect(reply.slice(CONTINUE.length)).toMatch(/^HTTP\/1\.1 200 /);
    expect(reply).toContain('"presigned_url"');
    expect(await service.exit).toBe(0);
  });

  test("ends with 0 on SIGTERM during the start", async () => {
    const silentDatabase = createTcpServer(() => undefined).listen(0, "127.0.0.1");
    await once(silentDatabase, "listening");
    const { port } = silentDatabase.address() as { port: number };
    const service = run({ DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/d`, DATABASE_TIMEOUT_MS: "60000" });
    const [connection] = (await once(silentDatabase, "connection")) as [Socket];
    service.child.kill("SIGTERM");
    expect(await service.exit).toBe(0);
    connection.destroy();
    silentDatabase.close();
  });

  test("starts as several replicas at the same time on an empty database", () =>
    onAnEmptyDatabase(async (url) => {
      const replicas = await Promise.all(Array.from({ length: 4 }, () => start({ DATABASE_URL: url })));
      for (const replica of replicas) {
        await expect.poll(async () => (await fetch(`${replica.url}/readyz`)).status).toBe(200);
      }
      for (const replica of replicas) replica.child.kill("SIGTERM");
      for (const replica of replicas) expect(await replica.exit).toBe(0);
    }));

  test("with MIGRATE=off names the missing migrations, and starts after stowage migrate", () =>
    onAnEmptyDatabase(async (url) => {
      const refused = run({ DATABASE_URL: url, MIGRATE: "off", LOG_LEVEL: "silent" });
      expect(await refused.exit).toBe(1);
      expect(refused.output()).toMatch(
        /^The database's schema is older than this version and lacks 0000_baseline\b.*\. Run stowage migrate\.\n$/,
      );
      await promisify(execFile)(process.execPath, [CLI, "migrate"], {
        env: { PATH: process.env["PATH"], MIGRATION_DATABASE_URL: url },
      });
      const service = await start({ DATABASE_URL: url, MIGRATE: "off" });
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
      service.child.kill("SIGTERM");
      expect(await service.exit).toBe(0);
    }));

  test("is alive but not ready without storage, and says what is missing", async () => {
    const service = await start({ S3_ENDPOINT: "http://127.0.0.1:1", S3_TIMEOUT_MS: "500" });
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${service.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ detail: "Not ready: storage does not answer" });
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ["a missing setting", { S3_BUCKET: "" }, /^The setting S3_BUCKET is required\.\n$/],
    ["a wrong setting", { PORT: "eighty" }, /^The setting PORT must be a number\.\n$/],
  ])("prints one sentence for %s and exits with 1", async (_what, settings, sentence) => {
    const service = run(settings);
    expect(await service.exit).toBe(1);
    expect(service.output()).toMatch(sentence);
  });

  test("prints one sentence for a port in use and exits with 1", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const service = run({ PORT: String(port), LOG_LEVEL: "silent" });
    expect(await service.exit).toBe(1);
    expect(service.output()).toBe(
      `Port ${port} is already in use. Stop the process that uses it, or set PORT to another port.\n`,
    );
    other.close();
  });
});
