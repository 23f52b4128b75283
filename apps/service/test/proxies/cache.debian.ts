import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DevStore, startDevStore } from "@stowage/dev-store";
import type { DownloadsResponse } from "@stowage/schemas";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aProxy, type ProxyOptions } from "../fixtures/a-proxy.js";
import { aService } from "../fixtures/a-service.js";
import { anUpload, call } from "../fixtures/call.js";
import { send } from "./send.js";

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

const HOUR = 3600_000;
/** The start of the current window of URLs that are valid for an hour. */
const start = Math.floor(Date.now() / (HOUR / 2)) * (HOUR / 2);

/** The service, whose URLs lead to the store through nginx with a cache. */
async function aServiceBehindCache(options: ProxyOptions = {}) {
  const host = new URL(store.endpoint).host;
  const proxy = await aProxy("nginx", [host, host], { file: "cache", ...options });
  ends.push(() => proxy.close());
  let now: number | undefined;
  const clock = () => new Date(now ?? Date.now());
  const service = await aService({ S3_ENDPOINT: store.endpoint, S3_PUBLIC_ENDPOINT: proxy.url }, { clock });
  ends.push(() => service.close());
  const { apiKey: key } = await aProject();
  const post = <Body>(path: string, body: object) =>
    call<Body>(`${service.url}/api/storage/${path}/`, { key, body });
  return {
    proxy,
    post,
    setTime: (ms: number) => void (now = ms),
    async upload(body: string, more: object = {}) {
      const upload = await anUpload(service.url, key, {
        tenant_id: "t",
        filename: "a.png",
        size: body.length,
        ...more,
      });
      const { presigned_url: url, headers, file_path } = upload;
      expect((await send(proxy, url, { method: "PUT", headers, body })).status).toBe(200);
      return file_path;
    },
    async urlsOf(file_paths: string[], more: object = {}) {
      const { body } = await post<DownloadsResponse>("downloads", { file_paths, reuse: true, ...more });
      return body.downloads.map(({ presigned_url }) => presigned_url);
    },
    async get(url: string, headers: Record<string, string> = {}, method = "GET") {
      const answer = await send(proxy, url, { headers, method });
      return { status: answer.status, text: answer.text, cache: answer.headers["x-cache"] };
    },
    /** Reads as `fetch` of a page does. @returns the state of the cache, and which origins may read the answer */
    async fetchAs(origin: string, url: string) {
      const { headers } = await send(proxy, url, { headers: { Origin: origin } });
      return [headers["x-cache"], headers["access-control-allow-origin"]];
    },
  };
}

const hit = { status: 200, text: "hello", cache: "HIT" };
const miss = { status: 200, text: "hello", cache: "MISS" };

test.each([
  ["with reuse: all but those of the first visit", true, 180],
  ["without reuse: none", false, 0],
])(
  "requests of 10 visits to a gallery of 20 files that the cache answers, %s",
  async (_, reuse, expected) => {
    const { proxy, upload, urlsOf, get, setTime } = await aServiceBehindCache();
    const paths = await Promise.all(Array.from({ length: 20 }, () => upload("hello")));
    let hits = 0;
    for (let visit = 0; visit < 10; visit++) {
      // A minute lies between two visits. The store refuses URLs that begin 15 minutes after its own clock.
      setTime(start + visit * 60_000);
      for (const url of await urlsOf(paths, { reuse })) {
        const { status, cache } = await get(url);
        expect(status).toBe(200);
        if (cache === "HIT") hits++;
      }
    }
    expect(hits).toBe(expected);
    // nginx names no server for a request that it answers alone.
    await expect.poll(() => proxy.log().match(/"GET|GET "/g)?.length).toBe(200);
    expect(proxy.log().match(/ HIT - -/g)?.length ?? 0).toBe(expected);
    expect(proxy.log()).not.toMatch(/X-Amz-|Signature|Credential/i);
  },
);

test("a cached file is sent without storage, and only for exactly its URL", async () => {
  const { upload, urlsOf, get } = await aServiceBehindCache();
  const [path, other] = [await upload("hello"), await upload("other")];
  const [url] = await urlsOf([path]);
  expect(await get(url!)).toEqual(miss);
  expect(await get(url!)).toEqual(hit);
  const changed = (from: string | RegExp, to: string) => {
    const forged = url!.replace(from, to);
    expect(forged).not.toBe(url);
    return get(forged);
  };
  for (const forged of [
    await changed(/.$/, url!.endsWith("0") ? "1" : "0"),
    await changed(/&X-Amz-Signature=.*/, ""),
    await changed(/&X-Amz-Signature=.*/, "&X-Amz-Signature="),
    await changed(/\?.*/, ""),
    await changed(path, other),
    await changed("X-Amz-Expires=3600", "X-Amz-Expires=7200"),
    await changed(/response-expires=[^&]+/, "response-expires=Fri%2C%2001%20Jan%202100%2000%3A00%3A00%20GMT"),
  ]) {
    // Storage answers 400 if a parameter of the signature is missing.
    expect(forged.status).toBeOneOf([400, 403]);
    expect(forged.text).not.toContain("hello");
  }
  expect(await get(url!)).toEqual(hit);
  await store.stop();
  expect(await get(url!)).toEqual(hit);
});

test("a page may read a file with fetch that an image without Origin has brought into the cache, and so may other origins", async () => {
  const { upload, urlsOf, get, fetchAs } = await aServiceBehindCache();
  const [url] = await urlsOf([await upload("hello")]);
  expect(await get(url!)).toEqual(miss);
  expect(await get(url!)).toEqual(hit);
  for (const origin of ["https://app.example", "https://other.example"]) {
    expect(await fetchAs(origin, url!)).toEqual(["MISS", "*"]);
    expect(await fetchAs(origin, url!)).toEqual(["HIT", "*"]);
  }
  expect(await get(url!)).toEqual(hit);
});

test("with a key without the origin, the page may not", async () => {
  const replace = { '"$http_host$request_uri $http_origin"': "$http_host$request_uri" };
  const { upload, urlsOf, get, fetchAs } = await aServiceBehindCache({ replace });
  const [url] = await urlsOf([await upload("hello")]);
  expect(await get(url!)).toEqual(miss);
  expect(await fetchAs("https://app.example", url!)).toEqual(["HIT", undefined]);
});

test("with a key without the query, a wrong signature gets a file", async () => {
  const replace = { "$http_host$request_uri $http_origin": "$http_host$uri $http_origin" };
  const { upload, urlsOf, get } = await aServiceBehindCache({ replace });
  const [url] = await urlsOf([await upload("hello")]);
  expect(await get(url!)).toEqual(miss);
  expect(await get(`${url}0`)).toEqual(hit);
});

test("no file is sent after its URL has expired", async () => {
  const { upload, urlsOf, get, post } = await aServiceBehindCache();
  const path = await upload("hello");
  await post("complete", { file_path: path });
  const [url] = await urlsOf([path], { expires_in: 4 });
  const { searchParams } = new URL(url!);
  const [, y, mo, d, h, mi, s] = /(....)(..)(..)T(..)(..)(..)Z/
    .exec(searchParams.get("X-Amz-Date")!)!
    .map(Number);
  const end = Date.UTC(y!, mo! - 1, d, h, mi, s) + 4000;
  expect(Date.parse(searchParams.get("response-expires")!)).toBe(end);
  const first = await get(url!);
  // It has at least two seconds. A machine that is slower than that tests the end alone.
  if (Date.now() < end - 500) expect(first).toEqual(miss);
  await expect.poll(async () => (await get(url!)).status, { interval: 100 }).toBe(403);
  expect(Date.now()).toBeGreaterThanOrEqual(end);
  // Not at once: a slow machine asks late.
  expect(Date.now()).toBeLessThan(end + 50_000);
});

test("parts of a file and HEAD are asked of storage, and do not change what is cached", async () => {
  const { upload, urlsOf, get } = await aServiceBehindCache();
  const [url] = await urlsOf([await upload("hello")]);
  const part = { status: 206, text: "el", cache: undefined };
  expect(await get(url!, { Range: "bytes=1-2" })).toEqual(part);
  // The signature is for GET.
  expect(await get(url!, {}, "HEAD")).toMatchObject({ status: 403, cache: undefined });
  expect(await get(url!)).toEqual(miss);
  expect(await get(url!, { Range: "bytes=1-2" })).toEqual(part);
  expect(await get(url!, {}, "HEAD")).toMatchObject({ status: 403, cache: undefined });
  expect(await get(url!)).toEqual(hit);
});

test("a request with Authorization is never cached", async () => {
  const { upload, urlsOf, get } = await aServiceBehindCache();
  const [url] = await urlsOf([await upload("hello")]);
  expect(await get(url!)).toEqual(miss);
  const answer = await get(url!, { Authorization: "AWS4-HMAC-SHA256 Credential=x" });
  expect(answer.cache).toBeUndefined();
  expect(answer.status).not.toBe(200);
});

test("a file with a Cache-Control of its own, which could outlive its URL, is not cached", async () => {
  const { upload, urlsOf, get } = await aServiceBehindCache();
  const [url] = await urlsOf([await upload("hello", { cache_control: "public, max-age=31536000" })]);
  for (const _visit of [1, 2]) expect(await get(url!)).toEqual({ ...hit, cache: undefined });
});

test("a deleted file stays in the cache until its URL ends, and gets no new URL", async () => {
  const { upload, urlsOf, get, post } = await aServiceBehindCache();
  const path = await upload("hello");
  const [url] = await urlsOf([path]);
  expect(await get(url!)).toEqual(miss);
  expect((await post("delete", { file_path: path })).status).toBe(200);
  expect(await get(url!)).toEqual(hit);
  expect(await urlsOf([path])).toEqual([]);
});
