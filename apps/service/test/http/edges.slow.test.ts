import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DASHBOARD_URL } from "../fixtures/a-person.js";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { call } from "../fixtures/call.js";

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await aService();
  key = (await aProject()).apiKey;
});
afterAll(() => service.close());

async function openSocket(): Promise<{ socket: Socket; received(): string }> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("utf8"))).on("error", () => undefined);
  await once(socket, "connect");
  return { socket, received: () => received };
}

async function sendRaw(bytes: string): Promise<string> {
  const { socket, received } = await openSocket();
  socket.write(bytes);
  // The first call of /trpc loads its code, which takes seconds on a busy machine.
  await Promise.race([once(socket, "close").catch(() => undefined), sleep(15_000)]);
  socket.destroy();
  return received();
}

const POST = (headers: string) => `POST /api/storage/upload/ HTTP/1.1\r\n${headers}\r\n`;

describe("an error answer", () => {
  test.each<[string, string, number]>([
    ["a request without a Host header", POST("Connection: close\r\nContent-Length: 0\r\n"), 401],
    ["an unknown Expect header", POST("Host: x\r\nExpect: 200-ok\r\nContent-Length: 0\r\n"), 417],
    [
      "a URL with broken percent-encoding",
      "GET /api/storage/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      404,
    ],
    ["an unknown method", "QUERY /api/storage/upload/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 405],
    ["the method CONNECT", "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", 404],
    ["bytes that are not HTTP", "hello\r\n\r\n", 400],
    ["headers that are too large", POST(`Host: x\r\nX: ${"y".repeat(20_000)}\r\n`), 431],
    ["two Content-Length headers", POST("Host: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n"), 400],
  ])("has a detail and an X-Request-Id, for %s", async (_what, bytes, status) => {
    const answer = await sendRaw(bytes);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 \d{3} /);
    const actualStatus = Number(head.slice(9, 12));
    expect([status, 400, 415]).toContain(actualStatus);
    expect(head).toMatch(/\r\nx-request-id: \S{36}/i);
    expect(head).toMatch(/\r\ncache-control: no-store/i);
    expect(head).toMatch(/\r\nx-error-code: [a-z_]+/i);
    expect(Object.keys(JSON.parse(body) as object)).toEqual(["detail"]);
  });

  test("is never written into the answer of another request", async () => {
    const chunk = '5\r\n{"a":\r\nzz\r\n';
    const answer = await sendRaw(
      `POST /api/storage/upload/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
    );
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});

test("a request with too large headers on a reused connection is answered with 431", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set<unknown>();
  const send = async (headers: Record<string, string>) => {
    const request = get(`${service.url}/healthz`, { agent, headers });
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    sockets.add(request.socket);
    return { status: answer.statusCode, body: await json(answer) };
  };
  expect(await send({})).toEqual({ status: 200, body: { status: "alive" } });
  expect(await send({ "X-Large": "y".repeat(100_000) })).toEqual({
    status: 431,
    body: { detail: "Request headers are too large" },
  });
  expect(sockets.size).toBe(1);
  agent.destroy();
});

test.each(["user:pass@host", "host/path", "host?query", "^", "", "1.2.3.999", "[::1", "a b", "x:99999"])(
  "a Host header that is not a host is refused: %j",
  async (host) => {
    for (const path of ["/trpc/setup.status", "/auth/sign-out", "/api/storage/files/", "/healthz"]) {
      const answer = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(Number(answer.slice(9, 12)), answer).toBe(400);
    }
  },
);

test("a procedure whose name has a percent sign is not found", async () => {
  const answer = await sendRaw("GET /trpc/a%25 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  expect(Number(answer.slice(9, 12)), answer).toBe(404);
});

test.each(["/auth/sign-out", "/trpc/setup.finish", "/api/storage/upload/"])(
  "JSON that is nested too deep is refused by %s",
  async (path) => {
    for (const depth of [65, 8000, 30_000]) {
      const body = `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
      const answer = await call(service.url + path, { key, body, headers: { Origin: DASHBOARD_URL } });
      expect(answer.status).toBe(400);
      expect(answer.headers.get("X-Error-Code")).toBe("invalid_json");
      expect(answer.body.detail).toBe("Request body must not be nested deeper than 64 levels");
    }
  },
);

test("the service answers 415 to a compressed body and to a charset other than UTF-8", async () => {
  const url = `${service.url}/api/storage/upload/`;
  for (const headers of [
    { "Content-Encoding": "gzip" },
    { "Content-Type": "application/json; charset=utf-16" },
  ]) {
    expect((await call(url, { key, body: { tenant_id: "t", filename: "a" }, headers })).status).toBe(415);
  }
});

test("no answer has X-RateLimit headers, because the contract has none", async () => {
  const limited = await aService({ RATE_LIMIT_PER_MINUTE: "1" });
  const send = () =>
    call(`${limited.url}/api/storage/upload/`, { key, body: { tenant_id: "t", filename: "a" } });
  for (const answer of [await send(), await send()]) {
    expect([...answer.headers.keys()].filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
  }
  await limited.close();
});

test("a completion gets 503, not 409, if the bucket does not exist, and /readyz names the bucket", async () => {
  const withMissingBucket = await aService({ S3_BUCKET: "there-is-no-such-bucket" });
  const { body } = await call<{ file_path: string }>(`${service.url}/api/storage/upload/`, {
    key,
    body: { tenant_id: "t", filename: "a" },
  });
  const answer = await call(`${withMissingBucket.url}/api/storage/complete/`, {
    key,
    body: { file_path: body.file_path },
  });
  expect(answer.status).toBe(503);
  expect((await call(`${withMissingBucket.url}/readyz`)).body).toEqual({
    detail: "Not ready: the bucket there-is-no-such-bucket does not exist",
  });
  await withMissingBucket.close();
});

test("a caller that disconnects while it sends a body causes no error in the log", async () => {
  const quiet = await aService();
  const { hostname, port } = new URL(quiet.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(
    `${POST(`Host: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n`)}{"a"`,
  );
  await sleep(100);
  socket.resetAndDestroy();
  await sleep(200);
  expect(quiet.log()).not.toContain('"level":50');
  await quiet.close();
});

test("connections without a complete request do not delay the shutdown", async () => {
  const closing = await aService();
  const { hostname, port } = new URL(closing.url);
  const silent = connect(Number(port), hostname);
  await once(silent, "connect");
  const half = connect(Number(port), hostname);
  await once(half, "connect");
  half.write("POST /api");
  for (const socket of [silent, half]) socket.on("error", () => undefined);
  await sleep(50);
  const startedAt = performance.now();
  await closing.close();
  // Their requests never end.
  expect(performance.now() - startedAt).toBeLessThan(60_000);
});
