import type { DeleteResponse, DownloadResponse, File, UploadResponse } from "@stowage/schemas";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStorageProxy, type StorageProxy } from "../fixtures/a-storage-proxy.js";
import { aStoredFile, readCounters } from "../fixtures/a-stored-file.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";
import { queryDatabase, readStoredObject } from "../fixtures/direct-access.js";

/* The interface needs no completion call: what was PUT can be used at once. No test here sweeps or completes. */

let storage: StorageProxy;
let service: RunningService;
let withoutStorage: RunningService;
beforeAll(async () => {
  storage = await aStorageProxy(inject("servers").S3_ENDPOINT);
  [service, withoutStorage] = await Promise.all([
    aService({ S3_ENDPOINT: storage.url }),
    aService({ S3_ENDPOINT: "http://127.0.0.1:1", S3_TIMEOUT_MS: "500" }),
  ]);
});
beforeEach(() => void storage.methods.splice(0));
afterAll(async () => {
  await Promise.all([service.close(), withoutStorage.close()]);
  storage.close();
});

const download = (key: string, file_path: string, at = service) =>
  call<DownloadResponse & { detail?: string }>(`${at.url}/api/storage/download/`, {
    key,
    body: { file_path },
  });
const find = (key: string, file_path: string, at = service) =>
  call<File>(`${at.url}/api/storage/file/?${new URLSearchParams({ file_path }).toString()}`, { key });
const remove = (key: string, body: object, at = service) =>
  call<DeleteResponse & { detail?: string }>(`${at.url}/api/storage/delete/`, { key, body });
const missing = { status: 404, body: { detail: "File not found" } };

/** An upload whose bytes storage has taken, and that the service has not checked. */
async function aPutFile(key: string, body: object = {}): Promise<UploadResponse> {
  const upload = await anUpload(service.url, key, { tenant_id: "t", filename: "a.txt", ...body });
  expect(await putBytes(upload, Buffer.from("hello"))).toBe(200);
  return upload;
}

/** Makes an upload as old as one whose URL expired two minutes ago. */
const expire = (path: string) =>
  queryDatabase(
    `update files set status = 'expired', reserved_bytes = 0, created_at = now() - interval '62 minutes',
       url_expires_at = now() - interval '2 minutes', next_check_at = now() + interval '8 minutes', revision = revision + 1
     where path = $1`,
    [path],
  );

const dailyUsage = (ref: string) =>
  queryDatabase<{ uploads: number; uploaded: number; deletes: number; deleted: number }>(
    `select uploads::int, uploaded_bytes::int as uploaded, deleted_files::int as deletes, deleted_bytes::int as deleted
     from usage_daily u join projects p on p.id = u.project_id where p.ref = $1`,
    [ref],
  );

describe("right after its PUT a file", () => {
  test("can be downloaded, with its true size, for one HEAD", async () => {
    const { apiKey, ref } = await aProject();
    const { file_path } = await aPutFile(apiKey, { size: 5 });
    storage.methods.splice(0);
    const answer = await download(apiKey, file_path);
    expect(answer).toMatchObject({ status: 200, body: { file_path, size: 5 } });
    expect(storage.methods).toEqual(["HEAD"]);
    expect(await (await fetch(answer.body.presigned_url)).text()).toBe("hello");
    expect(await readCounters(ref)).toEqual({
      counted: { used: 5, reserved: 0, files: 1 },
      rows: { used: 5, reserved: 0, files: 1 },
    });
  });

  test("is shown as stored, for one HEAD", async () => {
    const { apiKey, ref } = await aProject();
    const { file_path } = await aPutFile(apiKey);
    storage.methods.splice(0);
    const answer = await find(apiKey, file_path);
    expect(answer).toMatchObject({ status: 200, body: { status: "stored", size: 5 } });
    expect(answer.body.stored_at).not.toBeNull();
    expect(storage.methods).toEqual(["HEAD"]);
    expect((await readCounters(ref)).counted).toEqual({ used: 5, reserved: 0, files: 1 });
  });

  test("is counted once by simultaneous downloads, reads and completions", async () => {
    const { apiKey, ref } = await aProject();
    const { file_path } = await aPutFile(apiKey, { size: 5 });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => {
        if (n % 3 === 0) return download(apiKey, file_path);
        if (n % 3 === 1) return find(apiKey, file_path);
        return call<File>(`${service.url}/api/storage/complete/`, { key: apiKey, body: { file_path } });
      }),
    );
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { size: 5 } });
    expect((await readCounters(ref)).counted).toEqual({ used: 5, reserved: 0, files: 1 });
    expect(await dailyUsage(ref)).toEqual([{ uploads: 1, uploaded: 5, deletes: 0, deleted: 0 }]);
  });

  test("can be deleted, and is counted as an upload and as a delete", async () => {
    const { apiKey, ref } = await aProject();
    const { file_path } = await aPutFile(apiKey, { size: 5 });
    storage.methods.splice(0);
    expect(await remove(apiKey, { file_path })).toMatchObject({
      status: 200,
      body: { deleted: [file_path] },
    });
    expect(storage.methods).toEqual(["HEAD", "DELETE"]);
    expect(await readStoredObject(file_path)).toBeNull();
    expect(await readCounters(ref)).toEqual({
      counted: { used: 0, reserved: 0, files: 0 },
      rows: { used: 0, reserved: 0, files: 0 },
    });
    expect(await dailyUsage(ref)).toEqual([{ uploads: 1, uploaded: 5, deletes: 1, deleted: 5 }]);
  });

  test("can be deleted among many, with one HEAD for each pending file and none for the others", async () => {
    const { apiKey, ref } = await aProject();
    const stored = await Promise.all(Array.from({ length: 3 }, () => aStoredFile(service.url, apiKey)));
    const put = await Promise.all(
      Array.from({ length: 40 }, (_, n) => aPutFile(apiKey, { tenant_id: `t${n % 3}` })),
    );
    const requested = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        anUpload(service.url, apiKey, { tenant_id: `t${n % 3}`, filename: "b", size: 7 }),
      ),
    );
    const file_paths = [...stored, ...put, ...requested].map((file) => file.file_path);
    storage.methods.splice(0);
    expect(await remove(apiKey, { file_paths: [...file_paths, "projects/none"] })).toMatchObject({
      status: 200,
      body: { deleted: file_paths, not_found: ["projects/none"] },
    });
    expect(storage.methods.filter((method) => method === "HEAD")).toHaveLength(60);
    expect((await readCounters(ref)).counted).toEqual({ used: 0, reserved: 0, files: 0 });
    const days = await dailyUsage(ref);
    const sum = (name: "uploads" | "deletes") => days.reduce((total, day) => total + day[name], 0);
    expect([sum("uploads"), sum("deletes")]).toEqual([43, 43]);
  });
});

describe("a file whose bytes have not arrived", () => {
  test("cannot be downloaded, is shown as pending and keeps its reservation", async () => {
    const { apiKey, ref } = await aProject();
    const { file_path } = await anUpload(service.url, apiKey, { tenant_id: "t", filename: "a", size: 5 });
    storage.methods.splice(0);
    expect(await download(apiKey, file_path)).toMatchObject(missing);
    expect(await find(apiKey, file_path)).toMatchObject({
      status: 200,
      body: { status: "pending", size: null },
    });
    expect(storage.methods).toEqual(["HEAD", "HEAD"]);
    expect((await readCounters(ref)).counted).toEqual({ used: 0, reserved: 5, files: 0 });
  });

  test("returns its reservation when it is deleted", async () => {
    const { apiKey, ref } = await aProject();
    const { file_path } = await anUpload(service.url, apiKey, { tenant_id: "t", filename: "a", size: 5 });
    expect((await remove(apiKey, { file_path })).status).toBe(200);
    expect((await readCounters(ref)).counted).toEqual({ used: 0, reserved: 0, files: 0 });
    expect(await dailyUsage(ref)).toEqual([]);
  });

  test("causes no request to storage by a call of another project or tenant", async () => {
    const [one, other] = await Promise.all([aProject(), aProject()]);
    const { file_path } = await aPutFile(one.apiKey);
    storage.methods.splice(0);
    expect(await download(other.apiKey, file_path)).toMatchObject(missing);
    expect(await find(other.apiKey, file_path)).toMatchObject(missing);
    expect(await remove(other.apiKey, { file_path })).toMatchObject(missing);
    expect(await remove(one.apiKey, { file_path, tenant_id: "u" })).toMatchObject(missing);
    expect(storage.methods).toEqual([]);
  });
});

describe("an expired upload", () => {
  test("can be used if its bytes arrived late", async () => {
    const { apiKey, ref } = await aProject();
    const { file_path } = await aPutFile(apiKey);
    await expire(file_path);
    storage.methods.splice(0);
    expect(await download(apiKey, file_path)).toMatchObject({ status: 200, body: { size: 5 } });
    expect(await find(apiKey, file_path)).toMatchObject({ status: 200, body: { status: "stored" } });
    expect(storage.methods).toEqual(["HEAD"]);
    expect((await readCounters(ref)).counted).toEqual({ used: 5, reserved: 0, files: 1 });
  });

  test("is not found if its late bytes do not fit the quota, and a delete of it succeeds", async () => {
    const { apiKey, ref } = await aProject({ defaultQuotaBytes: 8 });
    const [late, deleted] = await Promise.all([aPutFile(apiKey), aPutFile(apiKey)]);
    await Promise.all([expire(late.file_path), expire(deleted.file_path)]);
    await aStoredFile(service.url, apiKey);
    expect(await download(apiKey, late.file_path)).toMatchObject(missing);
    expect(await remove(apiKey, { file_path: deleted.file_path })).toMatchObject({
      status: 200,
      body: { deleted: [deleted.file_path] },
    });
    expect(await readStoredObject(deleted.file_path)).toBeNull();
    expect((await readCounters(ref)).counted).toEqual({ used: 5, reserved: 0, files: 1 });
  });

  test("causes no request to storage once no PUT can be running any more", async () => {
    const { apiKey } = await aProject();
    const { file_path } = await anUpload(service.url, apiKey, { tenant_id: "t", filename: "a" });
    await expire(file_path);
    await queryDatabase(`update files set url_expires_at = now() - interval '25 hours' where path = $1`, [
      file_path,
    ]);
    storage.methods.splice(0);
    expect(await find(apiKey, file_path)).toMatchObject({ status: 200, body: { status: "expired" } });
    expect(await download(apiKey, file_path)).toMatchObject(missing);
    expect(storage.methods).toEqual([]);
  });
});

test("a stored file is downloaded and read without a request to storage", async () => {
  const { apiKey } = await aProject();
  const { file_path } = await aStoredFile(service.url, apiKey);
  storage.methods.splice(0);
  expect((await download(apiKey, file_path)).status).toBe(200);
  expect((await find(apiKey, file_path)).body.status).toBe("stored");
  expect(storage.methods).toEqual([]);
  await remove(apiKey, { file_path });
  expect(storage.methods).toEqual(["DELETE"]);
});

describe("while storage is down", () => {
  test("a download of a pending file is answered with 503, because only storage knows the answer", async () => {
    const { apiKey } = await aProject();
    const { file_path } = await aPutFile(apiKey);
    const answer = await download(apiKey, file_path, withoutStorage);
    expect([answer.status, answer.headers.get("x-error-code")]).toEqual([503, "unavailable"]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await download(apiKey, file_path)).status).toBe(200);
  });

  test("a pending file is shown as it was recorded", async () => {
    const { apiKey } = await aProject();
    const { file_path } = await aPutFile(apiKey);
    expect(await find(apiKey, file_path, withoutStorage)).toMatchObject({
      status: 200,
      body: { status: "pending", size: null },
    });
  });

  test("pending and stored files can be deleted, and the counters stay exact", async () => {
    const { apiKey, ref } = await aProject();
    const put = await Promise.all(Array.from({ length: 20 }, () => aPutFile(apiKey, { size: 5 })));
    const stored = await aStoredFile(service.url, apiKey);
    const file_paths = [...put, stored].map((file) => file.file_path);
    expect(await remove(apiKey, { file_paths }, withoutStorage)).toMatchObject({
      status: 200,
      body: { deleted: file_paths, not_found: [] },
    });
    expect((await readCounters(ref)).counted).toEqual({ used: 0, reserved: 0, files: 0 });
  });
});
