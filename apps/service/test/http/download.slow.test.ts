import type { DownloadResponse, File } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";

let service: RunningService;
beforeAll(async () => {
  service = await aService();
});
afterAll(() => service.close());

const download = (key: string, body: object) =>
  call<DownloadResponse & { detail?: string }>(`${service.url}/api/storage/download/`, { key, body });
const missing = { status: 404, body: { detail: "File not found" } };

describe("a download", () => {
  test("works only for files in storage, of the caller's project and tenant", async () => {
    const [one, other] = await Promise.all([aProject(), aProject()]);
    const pending = await anUpload(service.url, one.apiKey, { tenant_id: "t", filename: "a.txt" });
    expect(await download(one.apiKey, { file_path: pending.file_path })).toMatchObject(missing);
    await putBytes(pending, Buffer.from("not checked yet"));
    expect((await download(one.apiKey, { file_path: pending.file_path })).status).toBe(200);
    const { file_path } = await aStoredFile(service.url, one.apiKey);
    expect((await download(one.apiKey, { file_path, tenant_id: "t" })).status).toBe(200);
    expect(await download(one.apiKey, { file_path, tenant_id: "u" })).toMatchObject(missing);
    expect(await download(other.apiKey, { file_path })).toMatchObject(missing);
    expect(await download(one.apiKey, { file_path: "projects/x" })).toMatchObject(missing);
  });

  test("of a stored file is signed without a call to storage", async () => {
    const { apiKey } = await aProject();
    const { file_path } = await aStoredFile(service.url, apiKey);
    const withoutStorage = await aService({ S3_ENDPOINT: "http://127.0.0.1:1" });
    const answer = await call(`${withoutStorage.url}/api/storage/download`, {
      key: apiKey,
      body: { file_path },
    });
    expect(answer.status).toBe(200);
    await withoutStorage.close();
  });
});

describe("a file", () => {
  const find = (key: string, query: Record<string, string>) =>
    call<File>(`${service.url}/api/storage/file/?${new URLSearchParams(query).toString()}`, { key });

  test("is found only by its own project and tenant", async () => {
    const [one, other] = await Promise.all([aProject(), aProject()]);
    const { file_path } = await anUpload(service.url, one.apiKey, { tenant_id: "t", filename: "a.txt" });
    expect(await find(one.apiKey, { file_path, tenant_id: "u" })).toMatchObject(missing);
    expect(await find(other.apiKey, { file_path })).toMatchObject(missing);
    expect(await find(one.apiKey, {})).toMatchObject({
      status: 400,
      body: { detail: "file_path is required" },
    });
  });
});
