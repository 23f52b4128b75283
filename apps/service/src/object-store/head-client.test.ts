import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { createHeadClient, type HeadClient } from "./head-client.js";

const ends: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const end of ends.splice(0)) end();
});

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Storage that answers with what it is told, in turns, and the requests that it had. */
async function aStore(
  answers: Answer | Answer[],
  timeoutMs = 2000,
): Promise<{ heads: HeadClient; asked: string[]; connections: () => number }> {
  const turns = [answers].flat();
  const asked: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url!.split("?")[0]}`);
    turns[Math.min(asked.length, turns.length) - 1]!(response, request);
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const heads = createHeadClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "us-east-1",
    bucket: "files",
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
    timeoutMs,
  });
  ends.push(() => {
    heads.close();
    server.closeAllConnections();
    server.close();
  });
  return { heads, asked, connections: () => connections };
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end();
const hangUp = (_response: ServerResponse, request: IncomingMessage) => void request.socket.destroy();
const silence = () => undefined;
const found = status(200, { "Content-Length": "12", ETag: '"abc"' });
/** Answers when the clock of time limits stands at so many milliseconds, where it stays. */
const at = (nowMs: number, answer: Answer): Answer => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  return (...exchange) => {
    clock.mockReturnValue(nowMs);
    answer(...exchange);
  };
};

test("tells size and etag, over a connection that is kept", async () => {
  const { heads, asked, connections } = await aStore(found);
  for (let times = 0; times < 3; times++)
    expect(await heads.head("a/ü.txt")).toEqual({ sizeBytes: 12, etag: "abc" });
  expect(asked[0]).toBe("HEAD /files/a/%C3%BC.txt");
  expect(connections()).toBe(1);
});

test("tells of nothing there by null", async () => {
  const { heads } = await aStore(status(404));
  expect(await heads.head("a")).toBeNull();
});

test.each([
  ["another region's redirect", 301],
  ["a refusal", 403],
  ["a bad request", 400],
])("takes %s for neither presence nor absence, and asks no second time", async (_what, code) => {
  const { heads, asked } = await aStore(status(code, { Location: "http://127.0.0.1:1/" }));
  await expect(heads.head("a")).rejects.toThrow(`HTTP ${code}`);
  expect(asked).toHaveLength(1);
});

test.each([
  ["an error of storage's own", status(500)],
  ["being told to slow down", status(503)],
  ["being told so in HTTP's own way", status(429)],
  ["a connection that is lost", hangUp],
])("asks once more after %s", async (_what, answer) => {
  const { heads, asked } = await aStore([answer, found]);
  expect(await heads.head("a")).toEqual({ sizeBytes: 12, etag: "abc" });
  expect(asked).toHaveLength(2);
});

test("gives up after the second time", async () => {
  const broken = await aStore(status(500));
  await expect(broken.heads.head("a")).rejects.toThrow("HTTP 500");
  expect(broken.asked).toHaveLength(2);
  const away = await aStore(hangUp);
  await expect(away.heads.head("a")).rejects.toThrow(/socket hang up|ECONNRESET/);
  expect(away.asked).toHaveLength(2);
});

test("waits for a silent storage until its time is over, and asks no second time", async () => {
  const { heads, asked } = await aStore(silence, 500);
  await expect(heads.head("a")).rejects.toThrow("no answer");
  expect(asked).toHaveLength(1);
});

test("has one time limit for both tries", async () => {
  const { heads, asked } = await aStore([at(1700, status(500)), silence], 2000);
  const startedAt = Date.now();
  await expect(heads.head("a")).rejects.toThrow("no answer");
  expect(Date.now() - startedAt).toBeLessThan(1500);
  expect(asked).toHaveLength(2);
});

test("begins no second try that could not end in time", async () => {
  const { heads, asked } = await aStore([at(1950, status(500)), found], 2000);
  await expect(heads.head("a")).rejects.toThrow("HTTP 500");
  expect(asked).toHaveLength(1);
});

test("leaves no timer behind, whatever came", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { heads } = await aStore([found, hangUp, status(404)]);
  await heads.head("a");
  await heads.head("a");
  expect(vi.getTimerCount()).toBe(0);
});
