import type { Socket } from "node:net";
import { HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterEach, expect, test, vi } from "vitest";
import {
  aKey,
  aStore,
  BUCKET,
  incomingCount,
  presign,
  refusalOf,
  type TestStore,
} from "../../test/a-store.js";
import { pathOf, putHead, openRawConnection } from "../../test/wire.js";

afterEach(() => void vi.useRealTimers());

async function aPut(store: TestStore, input: { ContentLength?: number } = {}) {
  const Key = aKey();
  const command = new PutObjectCommand({ Bucket: BUCKET, Key, ...input });
  const url = await presign(store.client, command, { sign: input.ContentLength ? ["content-length"] : [] });
  return {
    url,
    size: () =>
      store.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key })).then(
        ({ ContentLength }) => ContentLength,
        () => "absent",
      ),
  };
}

const ANSWER = /^HTTP\/1\.1 [2-5]\d\d [^]*\r\n\r\n/;

test("refuses a PUT with Expect: 100-continue before the client sends its body", async () => {
  const store = await aStore();
  const { url } = await aPut(store);
  const raw = await openRawConnection(url);
  raw.socket.write(putHead(url.replace(/.$/, "x"), { "Content-Length": "1000000", Expect: "100-continue" }));
  const answer = await raw.until(/<\/Error>/);
  expect(answer).toMatch(/^HTTP\/1\.1 40\d /);
  expect(answer).not.toContain("100 Continue");
  raw.socket.destroy();
});

test("answers 100 Continue to a PUT that it accepts", async () => {
  const store = await aStore();
  const { url, size } = await aPut(store);
  const raw = await openRawConnection(url);
  raw.socket.write(putHead(url, { "Content-Length": "5", Expect: "100-continue", Connection: "close" }));
  await raw.until(/100 Continue\r\n\r\n/);
  raw.socket.write("hello");
  expect(await raw.until(/HTTP\/1\.1 200/)).toContain("HTTP/1.1 200 OK");
  expect(await size()).toBe(5);
});

test("sends an error to a client that writes its whole body before it reads", async () => {
  const store = await aStore();
  const { url } = await aPut(store, { ContentLength: 5 });
  const raw = await openRawConnection(url);
  const body = Buffer.alloc(32 * 1024 ** 2);
  raw.socket.pause();
  raw.socket.write(putHead(url, { "Content-Length": String(body.length) }));
  await new Promise((resolve) => raw.socket.write(body, resolve));
  raw.socket.resume();
  expect(await raw.until(/<\/Error>/)).toMatch(/^HTTP\/1\.1 403 [^]*SignatureDoesNotMatch/);
});

test("names the missing length to a client that sends a body without one", async () => {
  const store = await aStore();
  const { url } = await aPut(store);
  const raw = await openRawConnection(url);
  raw.socket.write(`${putHead(url, {})}a body without a length`);
  expect(await raw.until(/<\/Error>/)).toMatch(/^HTTP\/1\.1 411 [^]*MissingContentLength/);
  await expect.poll(() => raw.socket.closed).toBe(true);
});

test("says that the body is incomplete to a client that ends before it has sent all", async () => {
  const store = await aStore();
  const { url } = await aPut(store);
  const raw = await openRawConnection(url);
  raw.socket.write(putHead(url, { "Content-Length": "20" }));
  raw.socket.end("five.");
  expect(await raw.until(/<\/Error>/)).toMatch(/^HTTP\/1\.1 400 [^]*IncompleteBody/);
});

test.each<[how: string, cut: (socket: Socket) => unknown]>([
  ["reset", (socket) => socket.resetAndDestroy()],
  ["half-closed", (socket) => socket.end()],
])("keeps nothing of a PUT that is %s in the middle, and the object that was there", async (_how, cut) => {
  const store = await aStore();
  const [fresh, Key] = [aKey(), aKey()];
  await store.client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: "old" }));
  for (const key of [fresh, Key]) {
    const url = await presign(store.client, new PutObjectCommand({ Bucket: BUCKET, Key: key }));
    const raw = await openRawConnection(url);
    raw.socket.write(putHead(url, { "Content-Length": "2000000" }));
    raw.socket.write(Buffer.alloc(1_999_999));
    await expect.poll(() => incomingCount(store.dir)).toBe(1);
    cut(raw.socket);
    await expect.poll(() => incomingCount(store.dir)).toBe(0);
  }
  expect(await refusalOf(store.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: fresh })))).toBe(
    "NotFound",
  );
  const head = await store.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key }));
  expect(head.ContentLength).toBe(3);
  expect(store.errors).toEqual([]);
});

test("stores no body with both Content-Length and chunked encoding", async () => {
  const store = await aStore();
  const { url, size } = await aPut(store, { ContentLength: 10 });
  const raw = await openRawConnection(url);
  raw.socket.write(putHead(url, { "Content-Length": "10", "Transfer-Encoding": "chunked" }));
  raw.socket.write(`14\r\n${"A".repeat(20)}\r\n0\r\n\r\n`);
  expect(await raw.until(ANSWER)).toMatch(/^HTTP\/1\.1 400 /);
  expect(await size()).toBe("absent");
});

test.each([
  ["two lengths", "Content-Length: 3\r\nContent-Length: 5\r\n"],
  ["a negative length", "Content-Length: -1\r\n"],
  ["an absurd length", "Content-Length: 99999999999999999999999\r\n"],
  ["an unknown coding", "Transfer-Encoding: gzip\r\n"],
  ["no host", "X: y\r\n"],
])("refuses a request with %s", async (what, lines) => {
  const store = await aStore();
  const { url, size } = await aPut(store);
  const raw = await openRawConnection(url);
  const host = what === "no host" ? "" : `Host: ${new URL(url).host}\r\n`;
  raw.socket.write(`PUT ${pathOf(url)} HTTP/1.1\r\n${host}${lines}\r\nhello`);
  expect(await raw.until(ANSWER)).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(await size()).toBe("absent");
  raw.socket.destroy();
});

test("stores the signed length and answers if more bytes follow", async () => {
  const store = await aStore();
  const { url, size } = await aPut(store, { ContentLength: 10 });
  const raw = await openRawConnection(url);
  raw.socket.write(`${putHead(url, { "Content-Length": "10", Connection: "close" })}0123456789EXTRA`);
  expect(await raw.until(ANSWER)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await size()).toBe(10);
});

test("refuses headers above 16 KiB", async () => {
  const store = await aStore();
  const raw = await openRawConnection(store.endpoint);
  raw.socket.write(`GET /${BUCKET}/a HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`);
  expect(await raw.until(ANSWER)).toContain("RequestHeaderSectionTooLarge");
});

test.each(["*", "http://elsewhere/bucket/key", "no-slash"])("refuses the target %s", async (target) => {
  const store = await aStore();
  const raw = await openRawConnection(store.endpoint);
  raw.socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(await raw.until(ANSWER)).toMatch(/^HTTP\/1\.1 400 /);
});

test("stops immediately after a request whose connection broke before its answer", async () => {
  const store = await aStore();
  const { url } = await aPut(store);
  const raw = await openRawConnection(url);
  raw.socket.write(putHead(url, { "Transfer-Encoding": "gzip" }));
  await raw.until(ANSWER);
  // Only a stop that waits for a time limit would need a timer.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await expect(store.stop()).resolves.toBeUndefined();
});

test("stops after it has answered the running requests", async () => {
  const store = await aStore();
  const { url } = await aPut(store);
  const raw = await openRawConnection(url);
  raw.socket.write(putHead(url, { "Content-Length": "10" }));
  raw.socket.write("01234");
  await expect.poll(() => incomingCount(store.dir)).toBe(1);
  const stopped = store.stop();
  raw.socket.write("56789");
  expect(await raw.until(ANSWER)).toMatch(/^HTTP\/1\.1 200 /);
  await stopped;
});
