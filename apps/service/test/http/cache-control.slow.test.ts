import type { DownloadResponse, UploadResponse } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anOpenUpload, anUpload, call, putBytes } from "../fixtures/call.js";
import { sendParts } from "../fixtures/send-parts.js";

const FOREVER = "public, max-age=31536000, immutable";
const wanted = { tenant_id: "t", filename: "a.txt", cache_control: FOREVER };

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await aService();
  key = (await aProject()).apiKey;
});
afterAll(() => service.close());

async function download(file_path: string, options: object = {}): Promise<Response> {
  const { body } = await call<DownloadResponse>(`${service.url}/api/storage/download/`, {
    key,
    body: { file_path, ...options },
  });
  return fetch(body.presigned_url);
}

describe("an upload with cache_control", () => {
  test("must send it, and storage then sends the file with it", async () => {
    const upload = await anUpload(service.url, key, wanted);
    expect(upload.headers).toEqual({ "Content-Type": "text/plain", "Cache-Control": FOREVER });
    const { "Cache-Control": _left, ...others } = upload.headers;
    expect(await putBytes(upload, Buffer.from("hello"), others)).toBe(403);
    expect(await putBytes(upload, Buffer.from("hello"), { ...others, "Cache-Control": "no-store" })).toBe(
      403,
    );
    expect(await putBytes(upload, Buffer.from("hello"))).toBe(200);
    for (const options of [{}, { reuse: true }]) {
      const response = await download(upload.file_path, options);
      expect(response.headers.get("cache-control")).toBe(FOREVER);
      expect(response.headers.get("expires")).toBeNull();
      expect(await response.text()).toBe("hello");
    }
  });

  test("by parts has it too", async () => {
    const { file_path } = await anOpenUpload(service.url, key, { ...wanted, size: 3 });
    await sendParts(service.url, key, file_path, { numbers: [1] });
    const complete = await call(`${service.url}/api/storage/complete/`, { key, body: { file_path } });
    expect(complete.status).toBe(200);
    expect((await download(file_path)).headers.get("cache-control")).toBe(FOREVER);
  });

  test("answers a repeated request with the same headers, and refuses the key for another cache_control", async () => {
    const again = { "Idempotency-Key": "cached" };
    const first = await anUpload(service.url, key, wanted, again);
    const second = await anUpload(service.url, key, wanted, again);
    expect(second).toMatchObject({ file_path: first.file_path, headers: first.headers });
    const other = await call<UploadResponse>(`${service.url}/api/storage/upload/`, {
      key,
      body: { ...wanted, cache_control: "no-store" },
      headers: again,
    });
    expect(other.headers.get("x-error-code")).toBe("idempotency_key_reused");
  });

  test.each(["", " max-age=1", "max-age=1\r\nx-evil: 1", "größe", "x".repeat(201), 1, ["no-store"]])(
    "refuses %j",
    async (cache_control) => {
      for (const path of ["upload", "uploads"]) {
        const { status, body } = await call(`${service.url}/api/storage/${path}/`, {
          key,
          body: { ...wanted, size: 1, cache_control },
        });
        expect([status, body.detail]).toEqual([400, expect.stringMatching(/^cache_control must be /)]);
      }
    },
  );
});

test("five uploads of one statement keep their own cache_control", async () => {
  const choices = ["no-store", undefined, FOREVER, undefined, "private", "max-age=60"];
  const uploads = await Promise.all(
    choices.map((cache_control) => anUpload(service.url, key, { ...wanted, cache_control })),
  );
  const sent = uploads.map((upload) => upload.headers["Cache-Control"]);
  expect(sent).toEqual(choices);
  const parts = await Promise.all(
    choices.map((cache_control) => anOpenUpload(service.url, key, { ...wanted, size: 3, cache_control })),
  );
  const answered = await Promise.all(
    parts.map(async ({ file_path }) => {
      await sendParts(service.url, key, file_path, { numbers: [1] });
      await call(`${service.url}/api/storage/complete/`, { key, body: { file_path } });
      return (await download(file_path)).headers.get("cache-control") ?? undefined;
    }),
  );
  // A file without one of its own is kept out of shared caches.
  expect(answered).toEqual(choices.map((choice) => choice ?? "private"));
});
