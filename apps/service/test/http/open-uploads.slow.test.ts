import type { ListUploadsResponse, OpenUploadResponse, UploadResponse } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "#lib/time.js";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anOpenUpload, anUpload, call } from "../fixtures/call.js";
import { PART_BYTES, sendParts, signedParts } from "../fixtures/send-parts.js";

let service: RunningService;
let replica: RunningService;
beforeAll(async () => {
  [service, replica] = await Promise.all([aService(), aService()]);
});
afterAll(() => Promise.all([service.close(), replica.close()]));

const GiB = 1024 ** 3;
const open = <Body = OpenUploadResponse>(
  key: string,
  body: object,
  { headers = {}, at = service }: { headers?: Record<string, string>; at?: RunningService } = {},
) =>
  call<Body>(`${at.url}/api/storage/uploads/`, {
    key,
    body: { tenant_id: "t", filename: "a.mp4", ...body },
    headers,
  });
const readUsage = async (key: string) =>
  (await call(`${service.url}/api/storage/usage/?tenant_id=t`, { key })).body;

describe("opening an upload by parts", () => {
  test("answers everything that the sender needs, and reserves the whole size at once", async () => {
    const { apiKey } = await aProject();
    const answer = await open(apiKey, { size: 20_000_000, metadata: { a: "b" } });
    expect(answer).toMatchObject({ status: 200 });
    const { file_path, expires_at, ...rest } = answer.body;
    expect(rest).toEqual({
      tenant_id: "t",
      is_new_tenant: true,
      content_type: "video/mp4",
      part_size: PART_BYTES,
      part_count: 4,
      max_bytes: 20_000_000,
    });
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 7 * DAY_MS)).toBeLessThan(MINUTE_MS);
    expect(await readUsage(apiKey)).toMatchObject({ used_bytes: 0, reserved_bytes: 20_000_000 });
    const { body } = await call(`${service.url}/api/storage/file/?${new URLSearchParams({ file_path })}`, {
      key: apiKey,
    });
    expect(body).toMatchObject({ status: "pending", size: null, metadata: { a: "b" } });
    expect((await open(apiKey, { size: 1 })).body.is_new_tenant).toBe(false);
  });

  test("admits files of 5 TiB if the project does, in at most 10,000 parts", async () => {
    const size = 5 * 1024 * GiB;
    const { apiKey } = await aProject({ maxFileBytes: size });
    const { body } = await open(apiKey, { size, content_type: "video/x" });
    expect(body).toMatchObject({ part_size: 525 * 1024 ** 2, part_count: 9987, content_type: "video/x" });
    const [last] = await signedParts(service.url, apiKey, body.file_path, [body.part_count]);
    expect(last!.size).toBe(size - 9986 * body.part_size);
    expect(await readUsage(apiKey)).toMatchObject({ reserved_bytes: size });
  });

  test("leaves a single PUT at the 5 GiB of S3", async () => {
    const { apiKey } = await aProject({ maxFileBytes: 5 * 1024 * GiB });
    const upload = (body: object) =>
      call<UploadResponse>(`${service.url}/api/storage/upload/`, {
        key: apiKey,
        body: { tenant_id: "t", filename: "a.mp4", ...body },
      });
    expect((await upload({})).body.max_bytes).toBe(5 * GiB);
    expect(await upload({ size: 5 * GiB + 1 })).toMatchObject({
      status: 400,
      body: { detail: "size must be at most 5368709120 bytes" },
    });
  });

  test("refuses more than the project's maximum", async () => {
    const { apiKey } = await aProject();
    const answer = await open<{ detail: string }>(apiKey, { size: 5 * GiB + 1 });
    expect([answer.status, answer.headers.get("X-Error-Code"), answer.body]).toEqual([
      400,
      "file_too_large",
      { detail: "size must be at most 5368709120 bytes" },
    ]);
    expect(await readUsage(apiKey)).toMatchObject({ reserved_bytes: 0 });
  });

  test("with an Idempotency-Key is safe to repeat", async () => {
    const { apiKey } = await aProject();
    const headers = { "Idempotency-Key": "one" };
    const body = { size: 20_000_000, part_size: PART_BYTES, fingerprint: "f" };
    const first = await open(apiKey, body, { headers });
    const again = await open(apiKey, body, { headers, at: replica });
    const { file_path, part_size, part_count, is_new_tenant } = first.body;
    expect(again).toMatchObject({ status: 200, body: { file_path, part_size, part_count, is_new_tenant } });
    expect([is_new_tenant, part_size, part_count]).toEqual([true, PART_BYTES, 4]);
    expect(await readUsage(apiKey)).toMatchObject({ reserved_bytes: 20_000_000 });
    await sendParts(service.url, apiKey, file_path, { numbers: [4] });
    const reused = { status: 422, body: { detail: "Idempotency-Key was used for another request" } };
    for (const change of [{ size: 20_000_001 }, { part_size: 2 * PART_BYTES }, { fingerprint: "g" }]) {
      expect(await open(apiKey, { ...body, ...change }, { headers })).toMatchObject(reused);
    }
    const single = { tenant_id: "t", filename: "a.mp4", size: 20_000_000 };
    const put = (key: string) =>
      call(`${service.url}/api/storage/upload/`, {
        key: apiKey,
        body: single,
        headers: { "Idempotency-Key": key },
      });
    expect(await put("one")).toMatchObject(reused);
    expect((await put("two")).status).toBe(200);
    expect(await open(apiKey, single, { headers: { "Idempotency-Key": "two" } })).toMatchObject(reused);
  });

  test("never passes the quota, with single PUTs and by many requests at once", async () => {
    const { apiKey } = await aProject({ defaultQuotaBytes: 100 });
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const at = n % 2 ? service : replica;
        if (n % 4 > 1) return (await open(apiKey, { size: 9 }, { at })).status;
        return (
          await call(`${at.url}/api/storage/upload/`, {
            key: apiKey,
            body: { tenant_id: "t", filename: "a", size: 9 },
          })
        ).status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(11);
    expect(statuses.filter((status) => status === 403)).toHaveLength(29);
    expect(await readUsage(apiKey)).toMatchObject({ used_bytes: 0, reserved_bytes: 99 });
  });
});

describe("the open uploads of a tenant", () => {
  const list = (key: string, query: Record<string, string>, at = service) =>
    call<ListUploadsResponse>(`${at.url}/api/storage/uploads/?${new URLSearchParams(query)}`, { key });
  const namesOf = ({ body }: { body: ListUploadsResponse }) => body.uploads.map(({ filename }) => filename);

  test("are listed newest first with everything that is needed to continue, page by page", async () => {
    const { apiKey } = await aProject();
    for (const filename of ["1", "2", "3"]) {
      await anOpenUpload(service.url, apiKey, {
        tenant_id: "t",
        filename,
        size: 20_000_000,
        fingerprint: filename,
      });
      await anUpload(service.url, apiKey, { tenant_id: "t", filename: "single" });
    }
    await anOpenUpload(service.url, apiKey, { tenant_id: "another", filename: "4" });
    const all = await list(apiKey, { tenant_id: "t" });
    expect(namesOf(all)).toEqual(["3", "2", "1"]);
    expect(all.body).toMatchObject({
      next_cursor: null,
      uploads: [
        {
          tenant_id: "t",
          status: "pending",
          size: null,
          declared_size: 20_000_000,
          part_size: PART_BYTES,
          part_count: 4,
          parts_stored: 0,
          bytes_stored: 0,
          fingerprint: "3",
        },
        {},
        {},
      ],
    });
    const newest = await list(apiKey, { tenant_id: "t", limit: "2" });
    expect(namesOf(newest)).toEqual(["3", "2"]);
    const cursor = newest.body.next_cursor!;
    const rest = await list(apiKey, { tenant_id: "t", limit: "2", cursor }, replica);
    expect([namesOf(rest), rest.body.next_cursor]).toEqual([["1"], null]);
    expect(await list(apiKey, { tenant_id: "nobody" })).toMatchObject({
      status: 200,
      body: { uploads: [], next_cursor: null },
    });
    expect(namesOf(await list((await aProject()).apiKey, { tenant_id: "t" }))).toEqual([]);
  });

  test("leave out uploads that are stored, and need a tenant and a cursor of this list", async () => {
    const { apiKey } = await aProject();
    const { file_path } = await anOpenUpload(service.url, apiKey, { tenant_id: "t", filename: "1" });
    await anOpenUpload(service.url, apiKey, { tenant_id: "t", filename: "2" });
    await sendParts(service.url, apiKey, file_path, { numbers: [1] });
    const done = await call(`${service.url}/api/storage/complete/`, { key: apiKey, body: { file_path } });
    expect(done.status).toBe(200);
    expect(namesOf(await list(apiKey, { tenant_id: "t" }))).toEqual(["2"]);
    await anOpenUpload(service.url, apiKey, { tenant_id: "t", filename: "3" });
    const files = await call<{ next_cursor: string }>(`${service.url}/api/storage/files/?limit=1`, {
      key: apiKey,
    });
    for (const [query, detail] of [
      [{}, "tenant_id is required"],
      [{ tenant_id: "t", limit: "101" }, "limit must be at most 100"],
      [{ tenant_id: "t", cursor: files.body.next_cursor }, "cursor is not valid"],
    ] as const) {
      expect(await list(apiKey, query as Record<string, string>)).toMatchObject({
        status: 400,
        body: { detail },
      });
    }
  });
});
