import { fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { aStoreProcess, buildBin } from "../test/a-process.js";
import {
  aClient,
  aFolder,
  aKey,
  aStore,
  BUCKET,
  CREDENTIALS,
  incomingCount,
  presign,
} from "../test/a-store.js";
import { outcome, putHead, send, openRawConnection } from "../test/wire.js";

let bin: Awaited<ReturnType<typeof buildBin>>;
beforeAll(async () => {
  bin = await buildBin();
});
afterAll(() => bin.remove());

test("prints one line when it is ready, informs its parent, and ends when the parent has ended", async () => {
  const store = await aStoreProcess(bin.main, { DEV_STORE_DIR: await aFolder() }, { hasIpc: true });
  expect(store.output()).toBe(`dev-store ready on ${store.endpoint}\n`);
  await expect.poll(() => store.messages).toEqual([{ type: "ready", endpoint: store.endpoint }]);
  expect((await send("GET", `${store.endpoint}/`)).status).toBe(403);
  store.child.disconnect();
  expect(await store.ended).toEqual([0, null]);
});

test("continues when its output is closed and it prints errors", async () => {
  const dir = await aFolder();
  const child = fork(bin.main, {
    env: {
      PATH: process.env.PATH,
      DEV_STORE_DIR: dir,
      DEV_STORE_BUCKETS: BUCKET,
      DEV_STORE_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      DEV_STORE_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  for (const stream of [child.stdout, child.stderr]) stream!.destroy();
  const [{ endpoint }] = (await once(child, "message")) as [{ endpoint: string }];
  await rm(dir, { recursive: true });
  for (let i = 0; i < 3; i++) {
    const url = await presign(aClient(endpoint), new PutObjectCommand({ Bucket: BUCKET, Key: aKey() }));
    expect(await outcome(send("PUT", url, { body: "x" }))).toMatch(/^500 /);
  }
  child.disconnect();
  expect(await ended).toEqual([0, null]);
});

test.each(["SIGTERM", "SIGINT"] as const)("answers the running request and ends on %s", async (signal) => {
  const dir = await aFolder();
  const store = await aStoreProcess(bin.main, { DEV_STORE_DIR: dir });
  const url = await presign(aClient(store.endpoint), new PutObjectCommand({ Bucket: BUCKET, Key: aKey() }));
  const raw = await openRawConnection(url);
  raw.socket.write(putHead(url, { "Content-Length": "10" }) + "01234");
  await expect.poll(() => incomingCount(dir)).toBe(1);
  store.child.kill(signal);
  await sleep(100);
  raw.socket.write("56789");
  expect(await raw.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await store.ended).toEqual([0, null]);
});

test("ends an unfinished request on stop, and stores nothing of it", async () => {
  const store = await aStore();
  const url = await presign(store.client, new PutObjectCommand({ Bucket: BUCKET, Key: aKey() }));
  const raw = await openRawConnection(url);
  raw.socket.write(putHead(url, { "Content-Length": "10" }));
  await expect.poll(() => incomingCount(store.dir)).toBe(1);
  await store.stop();
  expect(await incomingCount(store.dir)).toBe(0);
});

test("prints one sentence about a wrong setting, and exits with 1", async () => {
  const dir = await aFolder();
  const taken = await aStore();
  const runs: [Record<string, string>, RegExp][] = [
    [{ DEV_STORE_DIR: "" }, /^dev-store: DEV_STORE_DIR is not set\.\n$/],
    [{ DEV_STORE_DIR: dir, DEV_STORE_PORT: "x" }, /^dev-store: DEV_STORE_PORT must be [^\n]*\n$/],
    [{ DEV_STORE_DIR: dir, DEV_STORE_PORT: String(taken.port) }, /^dev-store: port \d+ is in use [^\n]*\n$/],
    [{ DEV_STORE_DIR: bin.main }, /^dev-store: [^\n]*\n$/],
  ];
  for (const [env, sentence] of runs) {
    const store = await aStoreProcess(bin.main, env);
    expect(await store.ended).toEqual([1, null]);
    expect(store.output()).toMatch(sentence);
  }
});

test("does not log queries, keys or signatures", async () => {
  const store = await aStoreProcess(bin.main, { DEV_STORE_DIR: await aFolder() });
  const url = await presign(aClient(store.endpoint), new PutObjectCommand({ Bucket: BUCKET, Key: aKey() }));
  expect(await outcome(send("PUT", url, { body: "x" }))).toBe("200");
  expect(await outcome(send("PUT", `${url}0`, { body: "x" }))).toBe("403 SignatureDoesNotMatch");
  const raw = await openRawConnection(url);
  raw.socket.write(putHead(url, { "Content-Length": "100" }) + "cut");
  raw.socket.resetAndDestroy();
  await sleep(200);
  expect(store.output()).toBe(`dev-store ready on ${store.endpoint}\n`);
});
