import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import { createObjectClient, type ObjectClient } from "./object-client.js";

const cleanups: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const cleanUp of cleanups.splice(0)) cleanUp();
});

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Storage that gives these answers one after another, and repeats the last one. Records the requests. */
async function aStore(
  answers: Answer | Answer[],
  timeoutMs = 60_000,
): Promise<{ client: ObjectClient; requests: string[]; connections: () => number }> {
  const queue = [answers].flat();
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url!.split("?")[0]}`);
    queue[Math.min(requests.length, queue.length) - 1]!(response, request);
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = createObjectClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "us-east-1",
    bucket: "files",
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
    timeoutMs,
  });
  cleanups.push(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, requests, connections: () => connections };
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end();
const closeConnection = (_response: ServerResponse, request: IncomingMessage) =>
  void request.socket.destroy();
const silence = () => undefined;
const found = status(200, { "Content-Length": "12", ETag: '"abc"' });
/** Sets the clock of the time limits to `nowMs` and then answers. */
const at = (nowMs: number, answer: Answer): Answer => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  return (...exchange) => {
    clock.mockReturnValue(nowMs);
    answer(...exchange);
  };
};

test("returns size and ETag, and reuses the connection", async () => {
  const { client, requests, connections } = await aStore(found);
  for (let times = 0; times < 3; times++)
    expect(await client.head("a/ü.txt")).toEqual({ sizeBytes: 12, etag: "abc" });
  expect(requests[0]).toBe("HEAD /files/a/%C3%BC.txt");
  expect(connections()).toBe(1);
});

test("returns null for a missing object", async () => {
  const { client } = await aStore(status(404));
  expect(await client.head("a")).toBeNull();
});

test.each([
  ["another region's redirect", 301],
  ["a refusal", 403],
  ["a bad request", 400],
])("throws for %s, without a second attempt", async (_what, code) => {
  const { client, requests } = await aStore(status(code, { Location: "http://127.0.0.1:1/" }));
  await expect(client.head("a")).rejects.toThrow(`HTTP ${code}`);
  expect(requests).toHaveLength(1);
});

test.each([
  ["HTTP 500", status(500)],
  ["HTTP 503", status(503)],
  ["HTTP 429", status(429)],
  ["a lost connection", closeConnection],
])("tries a second time after %s", async (_what, answer) => {
  const { client, requests } = await aStore([answer, found]);
  expect(await client.head("a")).toEqual({ sizeBytes: 12, etag: "abc" });
  expect(requests).toHaveLength(2);
});

test("gives up after the second attempt", async () => {
  const broken = await aStore(status(500));
  await expect(broken.client.head("a")).rejects.toThrow("HTTP 500");
  expect(broken.requests).toHaveLength(2);
  const unreachable = await aStore(closeConnection);
  await expect(unreachable.client.head("a")).rejects.toThrow(/socket hang up|ECONNRESET/);
  expect(unreachable.requests).toHaveLength(2);
});

test("waits for silent storage until the time limit, without a second attempt", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { client, requests } = await aStore(at(500, silence), 500);
  const head = client.head("a");
  head.catch(() => undefined);
  await expect.poll(() => requests).toHaveLength(1);
  vi.advanceTimersByTime(500);
  await expect(head).rejects.toThrow("no answer");
  expect(requests).toHaveLength(1);
});

test("has one time limit for both attempts", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { client, requests } = await aStore([at(1700, status(500)), silence], 2000);
  const head = client.head("a");
  head.catch(() => undefined);
  await expect.poll(() => requests).toHaveLength(2);
  vi.advanceTimersByTime(300);
  await expect(head).rejects.toThrow("no answer");
});

test("does not start a second attempt that could not end in time", async () => {
  const { client, requests } = await aStore([at(1950, status(500)), found], 2000);
  await expect(client.head("a")).rejects.toThrow("HTTP 500");
  expect(requests).toHaveLength(1);
});

test("leaves no timer running", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { client } = await aStore([found, closeConnection, status(404)]);
  await client.head("a");
  await client.head("a");
  expect(vi.getTimerCount()).toBe(0);
});

const going = () => new AbortController().signal;
const sent =
  (body: string): Answer =>
  (response) =>
    void response.writeHead(200, { ETag: '"abc"' }).end(body);

test("reads the bytes of an object with their ETag", async () => {
  const { client, requests } = await aStore(sent("bytes"));
  const object = await client.read("a b.txt", going());
  expect(object!.etag).toBe("abc");
  expect(await text(object!.body)).toBe("bytes");
  expect(requests).toEqual(["GET /files/a%20b.txt"]);
});

test("reads a part of an object, and does not take the whole one for it", async () => {
  const ranges: unknown[] = [];
  const { client } = await aStore([
    (response, request) => {
      ranges.push(request.headers.range);
      response.writeHead(206, { ETag: '"abc"' }).end("yte");
    },
    sent("bytes"),
  ]);
  const object = await client.read("a", going(), { at: 1, length: 3 });
  expect(await text(object!.body)).toBe("yte");
  expect(ranges).toEqual(["bytes=1-3"]);
  await expect(client.read("a", going(), { at: 1, length: 3 })).rejects.toThrow("HTTP 200 for a GET");
});

test("reading a missing object returns null", async () => {
  const { client } = await aStore(
    (response) => void response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>"),
  );
  expect(await client.read("a", going())).toBeNull();
});

test("a caller that stops ends the request, and the body that is on its way", async () => {
  const { client, requests } = await aStore([
    silence,
    (response) => void response.writeHead(200).write("by"),
  ]);
  const stopping = new AbortController();
  const waiting = client.read("a", stopping.signal);
  await expect.poll(() => requests).toHaveLength(1);
  stopping.abort();
  await expect(waiting).rejects.toThrow("aborted");
  expect(requests).toHaveLength(1);
  const later = new AbortController();
  const object = await client.read("a", later.signal);
  later.abort();
  await expect(text(object!.body)).rejects.toThrow("aborted");
});

test("a body that ends too early is an error of the body", async () => {
  const { client } = await aStore((response) => {
    response.writeHead(200, { "Content-Length": "12" }).write("by");
    setTimeout(() => response.destroy(), 10);
  });
  const object = await client.read("a", going());
  await expect(text(object!.body)).rejects.toThrow("aborted");
});

test("writes bytes with their type and MD5, and repeats them after an error of storage", async () => {
  const written: unknown[] = [];
  const { client, requests } = await aStore([
    status(503),
    async (response, request) => {
      const { "content-type": type, "content-length": length, "content-md5": md5 } = request.headers;
      written.push({ type, length, md5, body: await text(request) });
      response.end();
    },
  ]);
  await client.write("a", Buffer.from("bytes"), "image/webp");
  expect(requests).toEqual(["PUT /files/a", "PUT /files/a"]);
  const md5 = "SzpiGLs+OnMD6KFxpg/Pkg==";
  expect(written).toEqual([{ type: "image/webp", length: "5", md5, body: "bytes" }]);
});

test.each([
  ["a missing bucket", 404],
  ["a refusal", 403],
])("writing fails after %s", async (_what, code) => {
  const { client, requests } = await aStore(status(code));
  await expect(client.write("a", Buffer.from("bytes"), "image/webp")).rejects.toThrow(`HTTP ${code}`);
  expect(requests).toHaveLength(1);
});
