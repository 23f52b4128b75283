import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DevStore, startDevStore } from "@stowage/dev-store";
import type { UploadResponse } from "@stowage/schemas";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aProxy, type Proxy, type ProxyOptions } from "../fixtures/a-proxy.js";
import { aService } from "../fixtures/a-service.js";
import { anUpload, call } from "../fixtures/call.js";
import { open, send } from "./send.js";

const MIB = 1024 ** 2;
const SIZE = 64 * MIB;
/** More than the sockets and nginx hold in memory. */
const FIRST = 48 * MIB;
const GIB_5 = 5 * 1024 ** 3;

let dir: string;
let store: DevStore;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "stowage-store-"));
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = inject("servers");
  store = await startDevStore({ dir, accessKeyId, secretAccessKey, buckets: ["stowage-test"] });
  ends.push(
    () => rm(dir, { recursive: true }),
    () => store.stop(),
  );
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** The service, whose URLs lead to the store through nginx. */
async function aServiceBehindNginx(options: ProxyOptions = {}) {
  const host = new URL(store.endpoint).host;
  const proxy = await aProxy("nginx", [host, host], { file: "storage", ...options });
  ends.push(() => proxy.close());
  const service = await aService({ S3_ENDPOINT: store.endpoint, S3_PUBLIC_ENDPOINT: proxy.url });
  ends.push(() => service.close());
  const { apiKey } = await aProject();
  const upload = (size: number) =>
    anUpload(service.url, apiKey, { tenant_id: "t", filename: "a.bin", size, content_type: "application/x" });
  const complete = (file_path: string) =>
    call(`${service.url}/api/storage/complete/`, { key: apiKey, body: { file_path } });
  return { proxy, upload, complete };
}

const put = (proxy: Proxy, { presigned_url, headers }: UploadResponse, body: string, more = {}) =>
  send(proxy, presigned_url, { method: "PUT", headers: { ...headers, ...more }, body });

test("a presigned PUT is accepted, and its signature is not in the log", async () => {
  const { proxy, upload, complete } = await aServiceBehindNginx();
  const requested = await upload(5);
  expect((await put(proxy, requested, "hello")).status).toBe(200);
  expect((await complete(requested.file_path)).status).toBe(200);
  await store.stop();
  expect((await put(proxy, requested, "hello")).status).toBe(502);
  await expect.poll(() => proxy.log().match(/PUT/g)?.length).toBe(2);
  expect(proxy.log()).not.toMatch(/X-Amz-|Signature|Credential/i);
});

test("without the port in Host, every signature is wrong", async () => {
  const { proxy, upload } = await aServiceBehindNginx({ replace: { "Host $http_host": "Host $host" } });
  expect((await put(proxy, await upload(5), "hello")).status).toBe(403);
});

test("bytes reach the store while the browser still sends, and none is on the proxy's disk", async () => {
  const { proxy, upload, complete } = await aServiceBehindNginx();
  const { presigned_url, headers, file_path } = await upload(SIZE);
  let status = 0;
  const call = open(
    proxy,
    presigned_url,
    { method: "PUT", headers: { ...headers, "Content-Length": SIZE } },
    (answer) => {
      status = answer.statusCode!;
      answer.resume();
    },
  );
  call.on("error", () => undefined).write(Buffer.alloc(FIRST));
  await expect.poll(() => filesIn(join(dir, "incoming")), { timeout: 30_000 }).toBeGreaterThan(0);
  expect(await filesIn(join(proxy.dir, "client_body"))).toBe(0);
  call.end(Buffer.alloc(SIZE - FIRST));
  await expect.poll(() => status, { timeout: 60_000 }).toBe(200);
  expect((await complete(file_path)).body).toMatchObject({ size: SIZE });
});

test("5 GiB are allowed, and a byte more is refused before it is sent", async () => {
  const { proxy, upload } = await aServiceBehindNginx();
  const { presigned_url, headers } = await upload(GIB_5);
  const statusFor = (bytes: number) =>
    new Promise<number>((resolve) => {
      const call = open(
        proxy,
        presigned_url,
        { method: "PUT", headers: { ...headers, "Content-Length": bytes, Expect: "100-continue" } },
        (answer) => resolve(answer.statusCode!),
      );
      call
        .on("continue", () => resolve(100))
        .on("error", () => resolve(0))
        .flushHeaders();
      ends.push(async () => void call.destroy());
    });
  expect(await statusFor(GIB_5)).toBe(100);
  expect(await statusFor(GIB_5 + 1)).toBe(413);
});

test.each(["x-amz-copy-source", "x-amz-acl"])("nginx itself refuses an upload with %s", async (header) => {
  const { proxy, upload } = await aServiceBehindNginx();
  const answer = await put(proxy, await upload(5), "hello", { [header]: "public-read" });
  expect([answer.status, answer.headers["server"]]).toEqual([403, "nginx"]);
});

async function filesIn(folder: string): Promise<number> {
  return (await readdir(folder, { recursive: true }).catch(() => [])).length;
}
