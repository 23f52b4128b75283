import type { UploadResponse } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";

let service: RunningService;
let replica: RunningService;
beforeAll(async () => {
  [service, replica] = await Promise.all([aService(), aService()]);
});
afterAll(() => Promise.all([service.close(), replica.close()]));

const requestUpload = (key: string, body: object, at: RunningService = service) =>
  call<{ detail?: string; is_new_tenant?: boolean }>(`${at.url}/api/storage/upload/`, { key, body });

const refused = { status: 403, body: { detail: "Storage quota exceeded for this tenant" } };

async function counters(ref: string) {
  const [row] = await queryDatabase<{ used: string; reserved: string; files: number }>(
    `select used_bytes as used, reserved_bytes as reserved, file_count as files
     from tenants t join projects p on p.id = t.project_id where p.ref = $1`,
    [ref],
  );
  return { used: Number(row!.used), reserved: Number(row!.reserved), files: row!.files };
}

describe("200 simultaneous first requests of a tenant on two replicas", () => {
  test("create the tenant exactly once", async () => {
    const { apiKey, ref } = await aProject();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        requestUpload(apiKey, { tenant_id: "crowd", filename: `${i}.txt` }, i % 2 ? service : replica),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(200);
    expect(answers.filter((answer) => answer.body.is_new_tenant)).toHaveLength(1);
    const tenants = await queryDatabase(
      "select 1 from tenants t join projects p on p.id = t.project_id where p.ref = $1",
      [ref],
    );
    expect(tenants).toHaveLength(1);
  });

  test("are admitted exactly 50 times if the quota has room for 50 files", async () => {
    const { apiKey, ref } = await aProject({ defaultQuotaBytes: 50 * 1000 + 999 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        requestUpload(
          apiKey,
          { tenant_id: "crowd", filename: `${i}.bin`, size: 1000 },
          i % 2 ? service : replica,
        ),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(50);
    expect(answers.filter((answer) => answer.status === 403)).toHaveLength(150);
    expect(answers.filter((answer) => answer.body.is_new_tenant)).toHaveLength(1);
    expect(await counters(ref)).toEqual({ used: 0, reserved: 50_000, files: 0 });
    const pending = await queryDatabase(
      "select 1 from files f join projects p on p.id = f.project_id where p.ref = $1 and f.status = 'pending'",
      [ref],
    );
    expect(pending).toHaveLength(50);
  });
});

describe("a quota", () => {
  test("admits a file that fills it exactly, and not one byte more", async () => {
    const { apiKey } = await aProject({ defaultQuotaBytes: 100 });
    expect((await requestUpload(apiKey, { tenant_id: "t", filename: "a", size: 100 })).status).toBe(200);
    expect(await requestUpload(apiKey, { tenant_id: "t", filename: "b", size: 1 })).toMatchObject(refused);
    expect((await requestUpload(apiKey, { tenant_id: "t", filename: "c", size: 0 })).status).toBe(200);
    expect((await requestUpload(apiKey, { tenant_id: "another", filename: "a", size: 100 })).status).toBe(
      200,
    );
  });

  test("admits a file without a size while one byte is free", async () => {
    const { apiKey } = await aProject({ defaultQuotaBytes: 100 });
    expect((await requestUpload(apiKey, { tenant_id: "t", filename: "a", size: 99 })).status).toBe(200);
    expect((await requestUpload(apiKey, { tenant_id: "t", filename: "b" })).status).toBe(200);
    expect((await requestUpload(apiKey, { tenant_id: "t", filename: "c", size: 1 })).status).toBe(200);
    expect(await requestUpload(apiKey, { tenant_id: "t", filename: "d" })).toMatchObject(refused);
  });

  test("of zero refuses a tenant's first upload, with and without a size", async () => {
    const { apiKey } = await aProject({ defaultQuotaBytes: 0 });
    expect(await requestUpload(apiKey, { tenant_id: "t", filename: "a" })).toMatchObject(refused);
    expect(await requestUpload(apiKey, { tenant_id: "t", filename: "a", size: 1 })).toMatchObject(refused);
  });

  test("of zero admits files of zero bytes, if their size is given", async () => {
    const { apiKey, ref } = await aProject({ defaultQuotaBytes: 0 });
    for (const filename of ["a", "b"]) {
      const upload = await anUpload(service.url, apiKey, { tenant_id: "t", filename, size: 0 });
      expect(await putBytes(upload, Buffer.from("x"))).toBe(403);
      expect(await putBytes(upload, Buffer.from(""))).toBe(200);
      const body = { file_path: upload.file_path };
      expect((await call(`${service.url}/api/storage/complete/`, { key: apiKey, body })).status).toBe(200);
    }
    expect(await counters(ref)).toEqual({ used: 0, reserved: 0, files: 2 });
    expect(await requestUpload(apiKey, { tenant_id: "t", filename: "c" })).toMatchObject(refused);
  });

  // docs/quotas.md has these numbers.
  test("is exceeded only in a project that allows it, by what is sent to the URLs of uploads without a size", async () => {
    const limits = { defaultQuotaBytes: 100, maxFileBytes: 500 };
    const { apiKey, ref } = await aProject({ ...limits, allowOverQuota: true });
    const send = async (upload: UploadResponse, bytes: number) => {
      expect(await putBytes(upload, Buffer.alloc(bytes))).toBe(200);
      const body = { file_path: upload.file_path };
      expect((await call(`${service.url}/api/storage/complete/`, { key: apiKey, body })).status).toBe(200);
    };
    const admit = (size?: number) => anUpload(service.url, apiKey, { tenant_id: "t", filename: "a", size });
    await send(await admit(99), 99);
    const [first, ...others] = [await admit(), await admit(), await admit()];
    for (const upload of others) await send(upload, 1000);
    for (const size of [undefined, 0, 1]) {
      expect(await requestUpload(apiKey, { tenant_id: "t", filename: "b", size })).toMatchObject(refused);
    }
    // The URLs were issued before the quota was full, and the project's maximum file size is not part of their signatures.
    await send(first!, 1000);
    expect(await counters(ref)).toEqual({ used: 3099, reserved: 0, files: 4 });
    // Until it expires, a URL replaces its file by one of any size.
    await send(first!, 2000);
    expect(await counters(ref)).toEqual({ used: 4099, reserved: 0, files: 4 });
  });

  test("of a new project holds for an upload without a size, which is refused when it has arrived", async () => {
    const { apiKey, ref } = await aProject({ defaultQuotaBytes: 1000 });
    const upload = await anUpload(service.url, apiKey, { tenant_id: "t", filename: "a" });
    expect(await putBytes(upload, Buffer.alloc(10_000))).toBe(200);
    const body = { file_path: upload.file_path };
    for (let calls = 0; calls < 3; calls++) {
      expect(await call(`${service.url}/api/storage/complete/`, { key: apiKey, body })).toMatchObject(
        refused,
      );
      expect(await counters(ref)).toEqual({ used: 0, reserved: 0, files: 0 });
    }
  });

  test("of the tenant replaces the project's, whether larger or smaller", async () => {
    const { apiKey, ref } = await aProject({ defaultQuotaBytes: 100 });
    const setQuota = (bytes: number) =>
      queryDatabase(
        `update tenants t set quota_bytes = $2 from projects p where p.id = t.project_id and p.ref = $1 returning 1`,
        [ref, String(bytes)],
      );
    expect((await requestUpload(apiKey, { tenant_id: "t", filename: "a", size: 10 })).status).toBe(200);
    await setQuota(1000);
    expect((await requestUpload(apiKey, { tenant_id: "t", filename: "b", size: 900 })).status).toBe(200);
    await setQuota(5);
    expect(await requestUpload(apiKey, { tenant_id: "t", filename: "c" })).toMatchObject(refused);
  });

  test("is the service's default if the project has none", async () => {
    const withDefaultQuota = await aService({ DEFAULT_QUOTA_BYTES: "10" });
    const [withoutQuota, withQuota] = await Promise.all([aProject(), aProject({ defaultQuotaBytes: 20 })]);
    expect(
      await requestUpload(withoutQuota.apiKey, { tenant_id: "t", filename: "a", size: 11 }, withDefaultQuota),
    ).toMatchObject(refused);
    expect(
      (await requestUpload(withQuota.apiKey, { tenant_id: "t", filename: "a", size: 20 }, withDefaultQuota))
        .status,
    ).toBe(200);
    expect(
      (await requestUpload(withoutQuota.apiKey, { tenant_id: "t", filename: "a", size: 11 })).status,
    ).toBe(200);
    await withDefaultQuota.close();
  });
});

describe("completing an upload", () => {
  const complete = (key: string, body: object) =>
    call<Record<string, unknown>>(`${service.url}/api/storage/complete/`, { key, body });

  test("records the object in storage and turns the reservation into usage once", async () => {
    const { apiKey, ref } = await aProject({ defaultQuotaBytes: 1000 });
    const upload = await anUpload(service.url, apiKey, {
      tenant_id: "t",
      filename: "Bericht (1).txt",
      size: 5,
      metadata: { a: "b" },
    });
    expect(await complete(apiKey, { file_path: upload.file_path })).toMatchObject({
      status: 409,
      body: { detail: "Upload not found in storage" },
    });
    expect(await counters(ref)).toEqual({ used: 0, reserved: 5, files: 0 });
    expect(await putBytes(upload, Buffer.from("hello"))).toBe(200);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => complete(apiKey, { file_path: upload.file_path, tenant_id: "t" })),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 200,
        body: {
          file_path: upload.file_path,
          tenant_id: "t",
          filename: "Bericht (1).txt",
          content_type: "text/plain",
          size: 5,
          status: "stored",
          etag: "5d41402abc4b2a76b9719d911017c592",
          metadata: { a: "b" },
        },
      });
    }
    expect(await counters(ref)).toEqual({ used: 5, reserved: 0, files: 1 });
  });

  test("answers 404 for a file of another tenant or project", async () => {
    const [one, other] = await Promise.all([aProject(), aProject()]);
    const upload = await anUpload(service.url, one.apiKey, { tenant_id: "t", filename: "a.txt" });
    const missing = { status: 404, body: { detail: "File not found" } };
    expect(await complete(one.apiKey, { file_path: upload.file_path, tenant_id: "u" })).toMatchObject(
      missing,
    );
    expect(await complete(other.apiKey, { file_path: upload.file_path })).toMatchObject(missing);
    expect(await complete(one.apiKey, { file_path: "projects/x" })).toMatchObject(missing);
  });
});

describe("the list of files", () => {
  const list = (key: string, query: string) =>
    call<{ files: { filename: string }[]; next_cursor: string | null }>(
      `${service.url}/api/storage/files/?${query}`,
      {
        key,
      },
    );

  test("filters by tenant and status, and contains only the project's files", async () => {
    const { apiKey } = await aProject();
    await anUpload(service.url, apiKey, { tenant_id: "a", filename: "of a.txt" });
    await anUpload(service.url, apiKey, { tenant_id: "b", filename: "of b.txt" });
    expect((await list(apiKey, "tenant_id=a")).body.files).toMatchObject([
      { filename: "of a.txt", tenant_id: "a" },
    ]);
    expect((await list(apiKey, "status=stored")).body.files).toEqual([]);
    expect((await list((await aProject()).apiKey, "")).body.files).toEqual([]);
  });
});
