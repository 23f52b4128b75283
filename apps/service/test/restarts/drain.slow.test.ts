import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterEach, describe, expect, inject, test } from "vitest";
import { operatorsOf } from "../faults/operators-of.js";
import { aDatabase } from "../fixtures/a-database.js";
import { anOutageProxy } from "../fixtures/an-outage-proxy.js";
import { aProcess, type ServiceProcess } from "../fixtures/a-process.js";
import { aProject } from "../fixtures/a-project.js";
import { anUpload } from "../fixtures/call.js";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function aReplica(settings: Record<string, string> = {}): Promise<ServiceProcess> {
  const replica = await aProcess({ ...inject("servers"), PORT: "0", SWEEP_INTERVAL_MS: "0", ...settings });
  ends.push(() => replica.kill());
  return replica;
}

/** Sends SIGTERM and waits until the service has begun to drain. */
async function terminate(replica: ServiceProcess): Promise<void> {
  replica.child.kill("SIGTERM");
  await expect.poll(replica.output, { interval: 5 }).toContain('"draining"');
}

async function aConnection({ url }: ServiceProcess) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  ends.push(async () => socket.destroy());
  let received = "";
  let error: Error | undefined;
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", (cause) => (error = cause));
  const ended = once(socket, "close");
  await once(socket, "connect");
  return { socket, ended, received: () => received, error: () => error };
}

async function ask(socket: Socket, bytes: string): Promise<void> {
  const answered = once(socket, "data");
  socket.write(bytes);
  await answered;
}

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const upload = (key: string) => {
  const body = JSON.stringify({ tenant_id: "t", filename: "a.txt" });
  const head =
    `POST /api/storage/upload/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return { begin: head + body.slice(0, 10), end: body.slice(10) };
};
const closes = /^connection: close\r$/im;

describe("in the drain delay", () => {
  test("every answer closes its connection, also errors before a route runs", async () => {
    const dashboardDir = await mkdtemp(join(tmpdir(), "stowage-dashboard-"));
    ends.push(() => rm(dashboardDir, { recursive: true }));
    await mkdir(join(dashboardDir, "assets"));
    await writeFile(join(dashboardDir, "index.html"), "<title>Page</title>");
    await writeFile(join(dashboardDir, "assets", "a.js"), "1");
    const replica = await aReplica({ DRAIN_DELAY_SECONDS: "60", DASHBOARD_DIR: dashboardDir });
    await terminate(replica);
    const requests: [string, number][] = [
      [get("/healthz"), 200],
      [get("/readyz"), 503],
      [get("/openapi.json"), 200],
      [get("/assets/a.js"), 200],
      [get("/", "Accept: text/html\r\n"), 200],
      [get("/docs/api.md"), 200],
      [get("/nothing"), 404],
      [get("/api/storage/%zz"), 404],
      [get("/api/storage/upload/"), 405],
      [get("/api/storage/files/"), 401],
      [get("/trpc/nothing"), 404],
      [get("/healthz").replace("GET", "HEAD"), 200],
      [get("/healthz", "Connection: keep-alive\r\n").replace("HTTP/1.1", "HTTP/1.0"), 200],
      ["POST /auth/sign-out HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1", 403],
      [get("/healthz", "Expect: something\r\n"), 417],
      ["CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", 404],
      ["hello\r\n\r\n", 400],
    ];
    for (const [bytes, status] of requests) {
      const { socket, ended, received } = await aConnection(replica);
      socket.write(bytes);
      await ended;
      expect([received().slice(9, 12), closes.test(received())], bytes).toEqual([String(status), true]);
    }
  });

  test("an idle connection stays open, and its next request is answered", async () => {
    const replica = await aReplica({ DRAIN_DELAY_SECONDS: "60" });
    const { socket, ended, received } = await aConnection(replica);
    await ask(socket, get("/healthz"));
    await terminate(replica);
    await ask(socket, get("/healthz"));
    await ended;
    expect(received().match(/200 OK/g)).toHaveLength(2);
    expect(received()).toMatch(closes);
  });

  test("a second SIGTERM changes nothing", async () => {
    const replica = await aReplica({ DRAIN_DELAY_SECONDS: "1" });
    const { apiKey } = await aProject();
    const { begin, end } = upload(apiKey);
    const { socket, ended, received } = await aConnection(replica);
    socket.write(begin);
    const startedAt = performance.now();
    await terminate(replica);
    replica.child.kill("SIGTERM");
    replica.child.kill("SIGINT");
    socket.write(end);
    await ended;
    expect(received()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await replica.exit).toBe(0);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1000);
    expect(replica.output().match(/"draining"/g)).toHaveLength(1);
  });
});

describe("without a drain delay", () => {
  test("a request on an idle connection is still answered, and then idle connections are closed without a reset", async () => {
    const replica = await aReplica({ DRAIN_DELAY_SECONDS: "0" });
    const [used, idle] = [await aConnection(replica), await aConnection(replica)];
    await ask(used.socket, get("/healthz"));
    await ask(idle.socket, get("/healthz"));
    replica.child.kill("SIGTERM");
    // Without a pause, because the service closes a connection that was idle for half a second.
    let asked = 1;
    for (; !closes.test(used.received()); asked++) await ask(used.socket, get("/healthz"));
    await Promise.all([used.ended, idle.ended]);
    expect(asked).toBeGreaterThan(1);
    expect(used.received().match(/200 OK/g)).toHaveLength(asked);
    expect([used.error(), idle.error()]).toEqual([undefined, undefined]);
    expect(await replica.exit).toBe(0);
  });

  test("a body that does not arrive in DRAIN_SECONDS is answered with 503, and the process exits with 0", async () => {
    const replica = await aReplica({ DRAIN_SECONDS: "1" });
    const { apiKey } = await aProject();
    const { socket, ended, received } = await aConnection(replica);
    socket.write(upload(apiKey).begin);
    await terminate(replica);
    await ended;
    expect(received()).toMatch(/^HTTP\/1\.1 503 /);
    expect(received()).toMatch(/^retry-after: \d+\r$/im);
    expect(await replica.exit).toBe(0);
    expect(replica.problems()).toEqual([]);
  });
});

test("a sweep that waits for storage does not hold up the end of the process", async () => {
  const database = await aDatabase();
  ends.push(() => database.drop());
  const storage = await anOutageProxy(inject("servers").S3_ENDPOINT);
  ends.push(() => storage.close());
  const { apiKey: key } = await operatorsOf(database.url).project({ name: "swept" });
  const settings = { DATABASE_URL: database.url, S3_ENDPOINT: storage.url, S3_TIMEOUT_MS: "60000" };
  const replica = await aReplica({ ...settings, SWEEP_INTERVAL_MS: "1000" });
  storage.freeze("all");
  await anUpload(replica.url, key, { tenant_id: "t", filename: "a.txt" });
  const sql = postgres(database.url, { max: 1 });
  ends.push(() => sql.end());
  const findClaimed = () => sql`select 1 from files where next_check_at > now() + interval '5 seconds'`;
  await expect.poll(findClaimed).toHaveLength(1);
  const startedAt = performance.now();
  await terminate(replica);
  expect(await replica.exit).toBe(0);
  // Storage answers the sweep after a minute at the earliest.
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});
