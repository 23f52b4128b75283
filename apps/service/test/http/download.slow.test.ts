import contentDisposition from "content-disposition";
import { downloadResponse, type DownloadResponse, file, type File } from "@stowage/schemas";
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

async function read(url: string) {
  const response = await fetch(url);
  return {
    status: response.status,
    text: await response.text(),
    type: response.headers.get("content-type"),
    disposition: response.headers.get("content-disposition") ?? "",
  };
}

describe("a download", () => {
  test("returns the bytes as an attachment with the exact name, for an hour", async () => {
    const { apiKey } = await aProject();
    const filename = 'Übersicht "50%" 見積書 🙂 שלום.txt';
    const { file_path } = await aStoredFile(service.url, apiKey, { filename });
    const { status, body } = await download(apiKey, { file_path });
    expect(status).toBe(200);
    downloadResponse.strict().parse(body);
    expect(body).toMatchObject({ file_path, filename, content_type: "text/plain", size: 5 });
    expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(3_590_000);
    expect(Date.parse(body.expires_at) - Date.now()).toBeLessThanOrEqual(3_600_000);
    const answer = await read(body.presigned_url);
    expect(answer).toMatchObject({ status: 200, text: "hello", type: "text/plain" });
    const { type, parameters } = contentDisposition.parse(answer.disposition);
    expect({ type, parameters }).toEqual({ type: "attachment", parameters: { filename } });
  });

  test.each([
    ["photo.png", "image/png", "inline", "image/png"],
    ["paper.pdf", "application/pdf", "inline", "application/pdf"],
    ["song.mp3", "audio/mpeg", "inline", "audio/mpeg"],
    ["page.html", "text/html", "attachment", "application/octet-stream"],
    ["drawing.svg", "image/svg+xml", "attachment", "application/octet-stream"],
    ["code.js", "text/javascript", "attachment", "application/octet-stream"],
    ["notes.zip", "application/zip", "attachment", "application/zip"],
  ])(
    "of %s (%s) requested inline is delivered as %s with type %s",
    async (filename, type, disposition, delivered) => {
      const { apiKey } = await aProject();
      const { file_path } = await aStoredFile(service.url, apiKey, { filename, content_type: type });
      const { body } = await download(apiKey, { file_path, disposition: "inline" });
      expect(body.content_type).toBe(type);
      const answer = await read(body.presigned_url);
      expect(answer).toMatchObject({ status: 200, type: delivered });
      expect(answer.disposition).toBe(`${disposition};filename="${filename}"`);
    },
  );

  test("uses the requested name and lifetime", async () => {
    const { apiKey } = await aProject();
    const { file_path } = await aStoredFile(service.url, apiKey);
    const { body } = await download(apiKey, { file_path, filename: "Rechnung 7.txt", expires_in: 604_800 });
    expect(body.filename).toBe("Rechnung 7.txt");
    expect(new URL(body.presigned_url).searchParams.get("X-Amz-Expires")).toBe("604800");
    expect((await read(body.presigned_url)).disposition).toBe('attachment;filename="Rechnung 7.txt"');
    const longest = await download(apiKey, { file_path, filename: "🙂".repeat(255) });
    expect((await read(longest.body.presigned_url)).status).toBe(200);
  });

  test("fails after its URL has expired, and with a changed URL", async () => {
    const { apiKey } = await aProject();
    const [one, other] = [await aStoredFile(service.url, apiKey), await aStoredFile(service.url, apiKey)];
    const { body } = await download(apiKey, { file_path: one.file_path, expires_in: 1 });
    const changed = (from: string, to: string) => read(body.presigned_url.replace(from, to));
    expect((await changed("=attachment", "=inline")).status).toBe(403);
    expect((await changed("=text%2Fplain", "=text%2Fhtml")).status).toBe(403);
    expect((await changed(one.file_path, other.file_path)).status).toBe(403);
    await expect.poll(async () => (await read(body.presigned_url)).status, { interval: 300 }).toBe(403);
  });

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

  test("is found by its path, both pending and stored", async () => {
    const { apiKey } = await aProject();
    const filename = "名前 #1%?&.txt";
    const upload = await anUpload(service.url, apiKey, { tenant_id: "t", filename, metadata: { a: "ü" } });
    const pending = await find(apiKey, { file_path: upload.file_path });
    expect(pending).toMatchObject({ status: 200, body: { status: "pending", size: null, stored_at: null } });
    await putBytes(upload, Buffer.from("hello"));
    await call(`${service.url}/api/storage/complete/`, {
      key: apiKey,
      body: { file_path: upload.file_path },
    });
    const stored = await find(apiKey, { file_path: upload.file_path, tenant_id: "t" });
    file.strict().parse(stored.body);
    expect(stored.body).toMatchObject({ filename, status: "stored", size: 5, metadata: { a: "ü" } });
  });

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
