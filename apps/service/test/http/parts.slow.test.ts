import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#lib/time.js";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStorageProxy } from "../fixtures/a-storage-proxy.js";
import { anOpenUpload, call, putBytes } from "../fixtures/call.js";
import {
  listParts,
  listStoredMultiparts,
  PART_BYTES,
  sendParts,
  signedParts,
  signParts,
} from "../fixtures/send-parts.js";

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await aService();
  key = (await aProject()).apiKey;
});
afterAll(() => service.close());

const md5 = (bytes: Uint8Array, encoding: "hex" | "base64") =>
  createHash("md5").update(bytes).digest(encoding);
const uploadIdOf = (url: string) => new URL(url).searchParams.get("uploadId");

/** An upload of two parts. The second one has three bytes. */
const SIZE = PART_BYTES + 3;
const anUploadOfTwo = (body: object = {}) =>
  anOpenUpload(service.url, key, {
    tenant_id: "t",
    filename: "a.bin",
    size: SIZE,
    part_size: PART_BYTES,
    ...body,
  });
const anUploadOfOne = () => anOpenUpload(service.url, key, { tenant_id: "t", filename: "a.bin", size: 3 });

describe("the URLs of parts", () => {
  test("are answered in the order of the request, and storage then has these parts", async () => {
    const { file_path } = await anUploadOfTwo();
    const { body } = await signParts(service.url, key, { file_path, parts: [2, 1] });
    expect(body.parts).toEqual([
      { number: 2, presigned_url: expect.any(String), headers: {}, size: 3, expires_at: expect.any(String) },
      expect.objectContaining({ number: 1, size: PART_BYTES }),
    ]);
    const [second, first] = body.parts;
    expect(Date.parse(first!.expires_at) - Date.now()).toBeGreaterThan(59 * MINUTE_MS);
    expect(Date.parse(first!.expires_at) - Date.now()).toBeLessThanOrEqual(HOUR_MS);
    const bytes = new Uint8Array(PART_BYTES).fill(7);
    expect(await putBytes(second!, bytes.subarray(0, 3))).toBe(200);
    expect(await putBytes(first!, bytes)).toBe(200);
    expect(await listParts(service.url, key, { file_path, tenant_id: "t" })).toMatchObject({
      status: 200,
      body: {
        parts: [
          { number: 1, size: PART_BYTES, etag: md5(bytes, "hex") },
          { number: 2, size: 3, etag: md5(bytes.subarray(0, 3), "hex") },
        ],
        next_cursor: null,
      },
    });
  });

  test("can be requested again at any time, and a part that is sent twice replaces the first one", async () => {
    const { file_path } = await anUploadOfOne();
    await sendParts(service.url, key, file_path, { numbers: [1], fill: 1 });
    await sendParts(service.url, key, file_path, { numbers: [1], fill: 2 });
    expect((await listParts(service.url, key, { file_path })).body.parts).toEqual([
      { number: 1, size: 3, etag: md5(new Uint8Array(3).fill(2), "hex") },
    ]);
    expect(await listStoredMultiparts(file_path)).toHaveLength(1);
  });

  test("of one request may be 100", async () => {
    const { file_path, part_count } = await anUploadOfTwo({ size: 150 * PART_BYTES });
    expect(part_count).toBe(150);
    const numbers = Array.from({ length: 100 }, (_, index) => 150 - index);
    const parts = await signedParts(service.url, key, file_path, numbers);
    expect(parts.map(({ number }) => number)).toEqual(numbers);
    expect(new Set(parts.map(({ presigned_url }) => uploadIdOf(presigned_url))).size).toBe(1);
    expect(new Set(parts.map(({ presigned_url }) => presigned_url)).size).toBe(100);
  });
});

test("storage is asked for nothing before the first part is signed, and the list of parts is empty", async () => {
  const { file_path } = await anUploadOfOne();
  expect(await listStoredMultiparts(file_path)).toEqual([]);
  expect(await listParts(service.url, key, { file_path })).toMatchObject({
    status: 200,
    body: {
      parts: [],
      next_cursor: null,
      declared_size: 3,
      part_size: PART_BYTES,
      part_count: 1,
      expires_at: expect.any(String),
    },
  });
});

test("of first calls at the same time one creates the upload, and storage keeps no other", async () => {
  const calls = 3;
  let [started, startAll] = [0, () => undefined as void];
  const allStarted = new Promise<void>((resolve) => (startAll = resolve));
  const storage = await aStorageProxy(inject("servers").S3_ENDPOINT, async (method) => {
    if (method !== "POST") return true;
    if (++started === calls) startAll();
    return allStarted.then(() => true);
  });
  const raced = await aService({
    S3_ENDPOINT: storage.url,
    S3_PUBLIC_ENDPOINT: inject("servers").S3_ENDPOINT,
  });
  const { file_path } = await anUploadOfOne();
  const signed = await Promise.all(
    Array.from({ length: calls }, () => signedParts(raced.url, key, file_path, [1])),
  );
  expect(started).toBe(calls);
  const ids = new Set(signed.map(([part]) => uploadIdOf(part!.presigned_url)));
  expect(await listStoredMultiparts(file_path)).toEqual([...ids]);
  for (const [part] of signed) expect(await putBytes(part!, Buffer.from("abc"))).toBe(200);
  await raced.close();
  storage.close();
});

test("no statement waits while storage creates an upload, and a failure leaves nothing in the row", async () => {
  let [reached, reach] = [new Promise<void>(() => undefined), () => undefined as void];
  reached = new Promise((resolve) => (reach = resolve));
  const storage = await aStorageProxy(inject("servers").S3_ENDPOINT, (method) => {
    if (method === "POST") reach();
    return method !== "POST";
  });
  // One connection: a transaction that is open while storage works would block the other call.
  const stalled = await aService({
    S3_ENDPOINT: storage.url,
    S3_PUBLIC_ENDPOINT: inject("servers").S3_ENDPOINT,
    S3_TIMEOUT_MS: "700",
    DATABASE_POOL_SIZE: "1",
  });
  const { file_path } = await anUploadOfOne();
  const refused = signParts<{ detail: string }>(stalled.url, key, { file_path, parts: [1] });
  await reached;
  await anOpenUpload(stalled.url, key, { tenant_id: "t", filename: "b.bin" });
  expect((await refused).status).toBe(503);
  await stalled.close();
  storage.close();
  await sendParts(service.url, key, file_path, { numbers: [1] });
});

describe("parts are refused", () => {
  const sign = (body: { file_path: string; tenant_id?: string; parts: number[] }, apiKey = key) =>
    signParts<{ detail: string }>(service.url, apiKey, body);
  const list = (query: Record<string, string>, apiKey = key) =>
    listParts<{ detail: string }>(service.url, apiKey, query);

  test.each<[string, unknown, string]>([
    [
      "more than 100 parts",
      Array.from({ length: 101 }, (_, n) => ({ number: n + 1 })),
      "parts must name at most 100 parts",
    ],
    ["no parts", [], "parts must name at least one part"],
    ["one part instead of a list", { number: 1 }, "parts must be a list"],
    ["no list of parts", undefined, "parts must be a list"],
    ["the number 0", [{ number: 0 }], "number must be at least 1"],
    ["the number 10,001", [{ number: 10_001 }], "number must be at most 10000"],
    ["a number after the last part", [{ number: 1 }, { number: 3 }], "number must be at most 2"],
    ["half a number", [{ number: 1.5 }], "number must be a whole number"],
    ["a text as a number", [{ number: "1" }], "number must be a whole number"],
    [
      "a content_md5 that is no MD5",
      [{ number: 1, content_md5: "abc" }],
      "content_md5 must be a base64 MD5 of 24 characters",
    ],
  ])("if the request has %s", async (_what, parts, detail) => {
    const { file_path } = await anUploadOfTwo();
    const answer = await call(`${service.url}/api/storage/uploads/parts/`, {
      key,
      body: { file_path, parts },
    });
    expect(answer).toMatchObject({ status: 400, body: { detail } });
    expect(await listStoredMultiparts(file_path)).toEqual([]);
  });

  test("for another tenant and another project, as if there were no such file", async () => {
    const { file_path } = await anUploadOfTwo();
    const other = (await aProject()).apiKey;
    const missing = { status: 404, body: { detail: "File not found" } };
    expect(await sign({ file_path, tenant_id: "another", parts: [1] })).toMatchObject(missing);
    expect(await sign({ file_path, parts: [1] }, other)).toMatchObject(missing);
    expect(await sign({ file_path: `${file_path}x`, parts: [1] })).toMatchObject(missing);
    expect(await list({ file_path, tenant_id: "another" })).toMatchObject(missing);
    expect(await list({ file_path }, other)).toMatchObject(missing);
    expect(await listStoredMultiparts(file_path)).toEqual([]);
    expect((await sign({ file_path, tenant_id: "t", parts: [1] })).status).toBe(200);
  });

  test("when the upload has ended, and no URL is valid beyond its end", async () => {
    let aheadMs = 0;
    const later = await aService(
      { UPLOAD_SESSION_DAYS: "1" },
      { clock: () => new Date(Date.now() + aheadMs) },
    );
    const { file_path, expires_at } = await anOpenUpload(later.url, key, { tenant_id: "t", filename: "a" });
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(DAY_MS - MINUTE_MS);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(DAY_MS);
    const endOf = async () => (await signedParts(later.url, key, file_path, [1]))[0]!.expires_at;
    expect(await endOf()).not.toBe(expires_at);
    aheadMs = DAY_MS - 20 * MINUTE_MS;
    expect(await endOf()).toBe(expires_at);
    aheadMs = DAY_MS;
    const refusal = { status: 409, body: { detail: "Upload has expired" } };
    expect(await signParts(later.url, key, { file_path, parts: [1] })).toMatchObject(refusal);
    expect(await listParts(later.url, key, { file_path })).toMatchObject(refusal);
    await later.close();
  });
});
