import { once } from "node:events";
import { request } from "node:http";
import { cancelResponse, type CancelResponse, type File, type UploadResponse } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile, readCounters } from "../fixtures/a-stored-file.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";
import { readStoredObject } from "../fixtures/direct-access.js";

const SECRET = "the-secret-of-storage";

let service: RunningService;
let replica: RunningService;
beforeAll(async () => {
  const settings = { STORAGE_EVENTS_SECRET: SECRET };
  [service, replica] = await Promise.all([aService(settings), aService(settings)]);
});
afterAll(() => Promise.all([service.close(), replica.close()]));

const cancel = (key: string, body: object, at: RunningService = service) =>
  call<CancelResponse & { detail?: string }>(`${at.url}/api/storage/cancel/`, { key, body });
const complete = (key: string, file_path: string, at: RunningService = service) =>
  call<File & { detail?: string }>(`${at.url}/api/storage/complete/`, { key, body: { file_path } });
const remove = (key: string, file_path: string, at: RunningService = service) =>
  call(`${at.url}/api/storage/delete/`, { key, body: { file_path } });
const find = (key: string, file_path: string) =>
  call<File>(`${service.url}/api/storage/file/?file_path=${encodeURIComponent(file_path)}`, { key });

/** Calls again while the service answers 429: a project's many calls at once may wait too long for a busy database. */
const untilServed = <Answer extends { status: number }>(send: () => Promise<Answer>) =>
  vi.waitFor(
    async () => {
      const answer = await send();
      expect(answer.status).not.toBe(429);
      return answer;
    },
    { timeout: 120_000 },
  );

/** Tells the service, as storage does, that something happened at the path. */
async function notify(path: string, at: RunningService = service) {
  const s3 = { bucket: { name: inject("servers").S3_BUCKET }, object: { key: path } };
  const answer = await call(`${at.url}/internal/storage-events`, {
    headers: { Authorization: `Bearer ${SECRET}` },
    body: { Records: [{ eventSource: "ceph:s3", eventName: "s3:ObjectCreated:Put", s3 }] },
  });
  expect(answer.status).toBe(200);
}

const fiveBytes = { tenant_id: "t", filename: "a.txt", size: 5 };
const hello = Buffer.from("hello");
const missing = { status: 404, body: { detail: "File not found" } };
const alreadyStored = { status: 409, body: { detail: "Upload is already stored" } };
const noUsage = { used: 0, reserved: 0, files: 0 };

/** Expects that the project uses exactly this, by its tenants' counters and by its file rows. */
async function expectUsage(ref: string, usage: typeof noUsage) {
  expect(await readCounters(ref)).toEqual({ counted: usage, rows: usage });
}

describe("a cancelled upload", () => {
  test("has returned its reservation when the call answers", async () => {
    const { apiKey, ref } = await aProject({ defaultQuotaBytes: 5 });
    const { file_path } = await anUpload(service.url, apiKey, fiveBytes);
    const answer = await cancel(apiKey, { file_path, tenant_id: "t" });
    expect(answer).toMatchObject({ status: 200, body: { file_path, cancelled: true } });
    cancelResponse.strict().parse(answer.body);
    await expectUsage(ref, noUsage);
    await anUpload(service.url, apiKey, fiveBytes);
    await expectUsage(ref, { used: 0, reserved: 5, files: 0 });
  });

  test("can be cancelled again, by its own project and tenant only", async () => {
    const [one, other] = await Promise.all([aProject(), aProject()]);
    const { file_path } = await anUpload(service.url, one.apiKey, fiveBytes);
    for (let time = 0; time < 2; time++) {
      expect(await cancel(other.apiKey, { file_path })).toMatchObject(missing);
      expect(await cancel(one.apiKey, { file_path, tenant_id: "u" })).toMatchObject(missing);
      expect((await cancel(one.apiKey, { file_path, tenant_id: "t" }, replica)).status).toBe(200);
      await expectUsage(one.ref, noUsage);
    }
    expect((await cancel(one.apiKey, { file_path, tenant_id: null })).status).toBe(200);
  });
});

describe("bytes that arrive after the cancel", () => {
  test("are removed and never counted, however often the URL is replayed", async () => {
    const { apiKey, ref } = await aProject();
    const upload = await anUpload(service.url, apiKey, fiveBytes);
    await cancel(apiKey, { file_path: upload.file_path });
    for (let time = 0; time < 2; time++) {
      expect(await putBytes(upload, hello)).toBe(200);
      expect(await complete(apiKey, upload.file_path)).toMatchObject(missing);
      expect((await cancel(apiKey, { file_path: upload.file_path })).status).toBe(200);
      await notify(upload.file_path);
      expect(await readStoredObject(upload.file_path)).toBeNull();
      await expectUsage(ref, noUsage);
    }
  });

  test("are removed when their PUT was running during the cancel", async () => {
    const { apiKey, ref } = await aProject();
    const upload = await anUpload(service.url, apiKey, fiveBytes);
    const put = await aRunningPut(upload, "hel");
    expect((await cancel(apiKey, { file_path: upload.file_path })).status).toBe(200);
    expect(await put.finish("lo")).toBe(200);
    expect(await readStoredObject(upload.file_path)).toMatchObject({ sizeBytes: 5 });
    await notify(upload.file_path);
    expect(await readStoredObject(upload.file_path)).toBeNull();
    await expectUsage(ref, noUsage);
  });
});

/** Starts a PUT as a browser does, and sends the first part of its bytes. */
async function aRunningPut({ presigned_url, headers }: UploadResponse, part: string) {
  const put = request(presigned_url, { method: "PUT", headers: { ...headers, "Content-Length": "5" } });
  const answered = once(put, "response");
  await new Promise<void>((resolve) => put.write(part, () => resolve()));
  return {
    async finish(rest: string): Promise<number> {
      put.end(rest);
      const [response] = (await answered) as [{ statusCode: number; resume(): void }];
      response.resume();
      return response.statusCode;
    },
  };
}

describe("an upload that cannot be cancelled", () => {
  test("is a stored file, which is kept", async () => {
    const { apiKey, ref } = await aProject();
    const { file_path } = await aStoredFile(service.url, apiKey);
    const answer = await cancel(apiKey, { file_path });
    expect(answer).toMatchObject(alreadyStored);
    expect(answer.headers.get("X-Error-Code")).toBe("upload_already_stored");
    expect(await find(apiKey, file_path)).toMatchObject({ status: 200, body: { status: "stored" } });
    expect(await readStoredObject(file_path)).toMatchObject({ sizeBytes: 5 });
    await expectUsage(ref, { used: 5, reserved: 0, files: 1 });
  });

  test("is one whose PUT has finished, which is recorded and kept", async () => {
    const { apiKey, ref } = await aProject();
    const upload = await anUpload(service.url, apiKey, fiveBytes);
    expect(await putBytes(upload, hello)).toBe(200);
    const { file_path } = upload;
    expect(await cancel(apiKey, { file_path })).toMatchObject(alreadyStored);
    await expectUsage(ref, { used: 5, reserved: 0, files: 1 });
    expect(await find(apiKey, file_path)).toMatchObject({ status: 200, body: { status: "stored", size: 5 } });
  });

  test("is a file that was stored and then deleted, unlike one that was deleted before it was stored", async () => {
    const { apiKey, ref } = await aProject();
    const stored = await aStoredFile(service.url, apiKey);
    const pending = await anUpload(service.url, apiKey, fiveBytes);
    await remove(apiKey, stored.file_path);
    await remove(apiKey, pending.file_path);
    expect(await cancel(apiKey, { file_path: stored.file_path })).toMatchObject(missing);
    expect((await cancel(apiKey, { file_path: pending.file_path })).status).toBe(200);
    await expectUsage(ref, noUsage);
  });
});

test("a cancel changes nothing while storage cannot say whether the bytes have arrived", async () => {
  const { apiKey, ref } = await aProject();
  const { file_path } = await anUpload(service.url, apiKey, fiveBytes);
  const withoutStorage = await aService({ S3_ENDPOINT: "http://127.0.0.1:1", S3_TIMEOUT_MS: "500" });
  const answer = await cancel(apiKey, { file_path }, withoutStorage);
  await withoutStorage.close();
  expect(answer.status).toBe(503);
  expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
  await expectUsage(ref, { used: 0, reserved: 5, files: 0 });
  expect((await cancel(apiKey, { file_path })).status).toBe(200);
  await expectUsage(ref, noUsage);
});

describe("concurrent calls", () => {
  test("50 simultaneous cancels of one upload on two replicas return its reservation once", async () => {
    const { apiKey, ref } = await aProject();
    await anUpload(service.url, apiKey, { ...fiveBytes, size: 7 });
    const { file_path } = await anUpload(service.url, apiKey, fiveBytes);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => cancel(apiKey, { file_path }, i % 2 ? service : replica)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    await expectUsage(ref, { used: 0, reserved: 7, files: 0 });
  });

  test("a cancel and a delete of the same pending upload return its reservation once", async () => {
    const { apiKey, ref } = await aProject();
    const uploads = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        anUpload(service.url, apiKey, { ...fiveBytes, tenant_id: `t${i % 3}` }),
      ),
    );
    await Promise.all(
      uploads.map(async ({ file_path }) => {
        const [cancelled, deleted] = await Promise.all([
          untilServed(() => cancel(apiKey, { file_path })),
          untilServed(() => remove(apiKey, file_path, replica)),
        ]);
        expect(cancelled.status).toBe(200);
        expect([200, 404]).toContain(deleted.status);
      }),
    );
    await expectUsage(ref, noUsage);
  });

  test("a cancel during a PUT, a completion and an event either ends the upload or finds it stored", async () => {
    const { apiKey, ref } = await aProject();
    const uploads = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        anUpload(service.url, apiKey, { ...fiveBytes, tenant_id: `t${i % 3}` }),
      ),
    );
    const statuses = await Promise.all(
      uploads.map(async (upload, i) => {
        const { file_path } = upload;
        const sent = putBytes(upload, hello);
        // The cancel arrives before, during or after the PUT.
        await new Promise((resolve) => setTimeout(resolve, (i % 8) * 4));
        const [cancelled, completed] = await Promise.all([
          untilServed(() => cancel(apiKey, { file_path }, i % 2 ? service : replica)),
          untilServed(() => complete(apiKey, file_path, replica)),
          notify(file_path),
        ]);
        expect(await sent).toBe(200);
        if (cancelled.status === 200) expect([404, 409]).toContain(completed.status);
        else expect(cancelled).toMatchObject(alreadyStored);
        await notify(file_path);
        return cancelled.status;
      }),
    );
    const stored = statuses.filter((status) => status === 409).length;
    await expectUsage(ref, { used: 5 * stored, reserved: 0, files: stored });
    for (const [i, { file_path }] of uploads.entries()) {
      expect(await readStoredObject(file_path)).toEqual(statuses[i] === 409 ? expect.anything() : null);
    }
  });
});
