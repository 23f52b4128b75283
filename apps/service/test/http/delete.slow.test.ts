import { deleteResponse, type DeleteResponse } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile, readCounters } from "../fixtures/a-stored-file.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";
import { queryDatabase, readStoredObject } from "../fixtures/direct-access.js";

let service: RunningService;
let replica: RunningService;
beforeAll(async () => {
  [service, replica] = await Promise.all([aService(), aService()]);
});
afterAll(() => Promise.all([service.close(), replica.close()]));

const remove = (key: string, body: object, at: RunningService = service) =>
  call<DeleteResponse & { detail?: string }>(`${at.url}/api/storage/delete/`, { key, body });
const complete = (key: string, file_path: string, at: RunningService = service) =>
  call(`${at.url}/api/storage/complete/`, { key, body: { file_path } });
const missing = { status: 404, body: { detail: "File not found" } };
const noUsage = { used: 0, reserved: 0, files: 0 };

const rowsOf = (paths: string[]) =>
  queryDatabase<{ status: string }>("select status from files where path = any($1::text[])", [
    `{${paths.join(",")}}`,
  ]);

describe("a deleted file", () => {
  test("disappears immediately from usage, storage, the database, downloads and lists", async () => {
    const { apiKey, ref } = await aProject();
    const kept = await aStoredFile(service.url, apiKey, { bytes: "keep" });
    const { file_path } = await aStoredFile(service.url, apiKey, { bytes: "away" });
    const answer = await remove(apiKey, { file_path, tenant_id: "t" });
    deleteResponse.strict().parse(answer.body);
    expect(answer).toMatchObject({ status: 200, body: { deleted: [file_path], not_found: [] } });
    expect((await readCounters(ref)).counted).toEqual({ used: 4, reserved: 0, files: 1 });
    expect(await readStoredObject(file_path)).toBeNull();
    expect(await rowsOf([file_path])).toEqual([]);
    expect(
      await call(`${service.url}/api/storage/download/`, { key: apiKey, body: { file_path } }),
    ).toMatchObject(missing);
    expect(await complete(apiKey, file_path)).toMatchObject(missing);
    expect(await remove(apiKey, { file_path })).toMatchObject(missing);
    const list = await call<{ files: object[] }>(`${service.url}/api/storage/files`, { key: apiKey });
    expect(list.body.files).toMatchObject([{ file_path: kept.file_path }]);
  });

  test("returns its reservation if its bytes never arrived, and a late PUT is not counted", async () => {
    const { apiKey, ref } = await aProject({ defaultQuotaBytes: 5 });
    const upload = await anUpload(service.url, apiKey, { tenant_id: "t", filename: "a", size: 5 });
    expect((await remove(apiKey, { file_path: upload.file_path })).status).toBe(200);
    expect((await readCounters(ref)).counted).toEqual(noUsage);
    expect((await anUpload(service.url, apiKey, { tenant_id: "t", filename: "b", size: 5 })).max_bytes).toBe(
      5,
    );
    await putBytes(upload, Buffer.from("12345"));
    expect(await complete(apiKey, upload.file_path)).toMatchObject(missing);
    expect((await readCounters(ref)).counted).toEqual({ used: 0, reserved: 5, files: 0 });
    const [tombstone] = await queryDatabase("select path from tombstones where path = $1", [
      upload.file_path,
    ]);
    expect(tombstone).toEqual({ path: upload.file_path });
  });

  test("can be deleted only by its own project and tenant", async () => {
    const [one, other] = await Promise.all([aProject(), aProject()]);
    const { file_path } = await aStoredFile(service.url, one.apiKey);
    expect(await remove(other.apiKey, { file_path })).toMatchObject(missing);
    expect(await remove(one.apiKey, { file_path, tenant_id: "u" })).toMatchObject(missing);
    expect(await remove(other.apiKey, { file_paths: [file_path] })).toMatchObject({
      status: 200,
      body: { deleted: [], not_found: [file_path] },
    });
    expect((await remove(one.apiKey, { file_paths: [file_path], tenant_id: "u" })).body.deleted).toEqual([]);
    expect((await readCounters(one.ref)).counted).toEqual({ used: 5, reserved: 0, files: 1 });
    expect(await readStoredObject(file_path)).not.toBeNull();
  });
});

describe("a delete of many files", () => {
  test("reports each path once, in the given order, as deleted or not found", async () => {
    const { apiKey, ref } = await aProject();
    const paths = await Promise.all(
      ["a", "b", "c"].map(
        async (tenant_id) => (await aStoredFile(service.url, apiKey, { tenant_id })).file_path,
      ),
    );
    const [a, b, c] = paths as [string, string, string];
    const answer = await remove(apiKey, { file_paths: [c, "projects/none", a, c, a] });
    expect(answer).toMatchObject({ status: 200, body: { deleted: [c, a], not_found: ["projects/none"] } });
    expect(await readCounters(ref)).toEqual({
      counted: { used: 5, reserved: 0, files: 1 },
      rows: { used: 5, reserved: 0, files: 1 },
    });
    expect(await readStoredObject(b)).not.toBeNull();
  });

  test("accepts 1,000 paths of the maximum length and of many tenants", async () => {
    const { apiKey, ref } = await aProject();
    const name = "𠮷".repeat(250) + ".txt";
    const uploads = [await anUpload(service.url, apiKey, { tenant_id: "t0", filename: name, size: 7 })];
    await queryDatabase(
      `insert into tenants (project_id, tenant_id, ref, created_at)
       select id, 'bulk ' || i, 'bulk' || i, now() from projects, generate_series(1, 100) i where ref = $1`,
      [ref],
    );
    const seeded = await queryDatabase<{ path: string }>(
      `insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at)
       select p.id, t.id, 'projects/' || p.ref || '/tenants/' || t.ref || '/' || i || repeat('𠮷', 230) || '.txt',
              'x', 'text/plain', i, 'stored', now() - interval '2 days', now()
       from projects p, generate_series(1, 999) i
       join tenants t on t.tenant_id = 'bulk ' || (1 + i % 100)
       where p.ref = $1 and t.project_id = p.id returning path`,
      [ref],
    );
    await queryDatabase(
      `update tenants t set used_bytes = s.used, file_count = s.files
       from (select tenant, sum(size) as used, count(*) as files from files f join projects p on p.id = f.project_id
             where p.ref = $1 and status = 'stored' group by tenant) s where s.tenant = t.id`,
      [ref],
    );
    const file_paths = [...seeded.map((row) => row.path), uploads[0]!.file_path];
    expect(Buffer.byteLength(JSON.stringify({ file_paths }))).toBeGreaterThan(900_000);
    const answer = await remove(apiKey, { file_paths });
    expect(answer.status).toBe(200);
    expect(answer.body.deleted).toEqual(file_paths);
    expect(await readCounters(ref)).toEqual({ counted: noUsage, rows: noUsage });
    // The service removes objects for a limited time only. It leaves the rest to the sweeper, so some rows may still exist.
    const left = await rowsOf(seeded.map((row) => row.path));
    expect(left.filter(({ status }) => status !== "deleting")).toEqual([]);
  });

  test("answers 413 to a body that is larger than 1,000 paths can be", async () => {
    const { apiKey } = await aProject();
    const answer = await remove(apiKey, { file_paths: ["x".repeat(3_000_000)] });
    expect(answer).toMatchObject({
      status: 413,
      body: { detail: "Request body must be at most 2113536 bytes" },
    });
  });
});

describe("concurrent calls", () => {
  test("50 simultaneous deletes of one file on two replicas are counted once", async () => {
    const { apiKey, ref } = await aProject();
    await aStoredFile(service.url, apiKey, { bytes: "another" });
    const { file_path } = await aStoredFile(service.url, apiKey);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => remove(apiKey, { file_path }, i % 2 ? service : replica)),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 404)).toHaveLength(49);
    expect((await readCounters(ref)).counted).toEqual({ used: 7, reserved: 0, files: 1 });
  });

  test("completions and deletes of the same files in any order leave exact counters", async () => {
    const { apiKey, ref } = await aProject();
    const uploads = await Promise.all(
      Array.from({ length: 25 }, (_, i) =>
        anUpload(service.url, apiKey, {
          tenant_id: `t${i % 3}`,
          filename: "a",
          ...(i % 2 ? { size: 5 } : {}),
        }),
      ),
    );
    await Promise.all(uploads.map((upload) => putBytes(upload, Buffer.from("hello"))));
    const paths = uploads.map((upload) => upload.file_path);
    const toDelete = paths.slice(0, 20);
    const answers = await Promise.all([
      ...paths.map((path) => complete(apiKey, path)),
      remove(apiKey, { file_paths: toDelete }, replica),
      remove(apiKey, { file_paths: toDelete.toReversed() }),
      ...toDelete.map((path) => complete(apiKey, path, replica)),
      ...toDelete.slice(0, 10).map((file_path) => remove(apiKey, { file_path })),
    ]);
    for (const answer of answers) expect([200, 404]).toContain(answer.status);
    expect(await readCounters(ref)).toEqual({
      counted: { used: 25, reserved: 0, files: 5 },
      rows: { used: 25, reserved: 0, files: 5 },
    });
  });

  test("simultaneous deletes of overlapping lists do not deadlock", async () => {
    const { apiKey, ref } = await aProject();
    const files = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        anUpload(service.url, apiKey, { tenant_id: `t${i % 5}`, filename: "a", size: 1 }),
      ),
    );
    const paths = files.map((file) => file.file_path);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        remove(
          apiKey,
          { file_paths: paths.toSorted((a, b) => (i % 2 ? 1 : -1) * a.localeCompare(b)).slice(i % 10) },
          i % 3 ? service : replica,
        ),
      ),
    );
    for (const answer of answers) expect(answer.status).toBe(200);
    const deleted = answers.flatMap((answer) => answer.body.deleted);
    expect(deleted).toHaveLength(30);
    expect(new Set(deleted).size).toBe(30);
    expect(await readCounters(ref)).toEqual({ counted: noUsage, rows: noUsage });
  });
});

test("a delete succeeds while storage is down and leaves the objects to the sweeper", async () => {
  const { apiKey, ref } = await aProject();
  const { file_path } = await aStoredFile(service.url, apiKey);
  const other = await aStoredFile(service.url, apiKey);
  const withoutStorage = await aService({ S3_ENDPOINT: "http://127.0.0.1:1", S3_TIMEOUT_MS: "500" });
  const answer = await remove(apiKey, { file_paths: [file_path, other.file_path] }, withoutStorage);
  expect(answer).toMatchObject({ status: 200, body: { deleted: [file_path, other.file_path] } });
  await withoutStorage.close();
  expect((await readCounters(ref)).counted).toEqual(noUsage);
  const rows = await queryDatabase<{ status: string; due: boolean }>(
    "select status, next_check_at between now() and now() + interval '31 seconds' as due from files where path = $1",
    [file_path],
  );
  expect(rows).toEqual([{ status: "deleting", due: true }]);
  for (const path of ["files/?", "files/?tenant_id=t&", "files/?status=deleting&", "files/?q=a&"]) {
    const list = await call<{ files: object[] }>(`${service.url}/api/storage/${path}`, { key: apiKey });
    expect(list.body).toEqual({ files: [], next_cursor: null });
  }
  expect(await remove(apiKey, { file_path })).toMatchObject(missing);
  expect(await complete(apiKey, file_path)).toMatchObject(missing);
  const find = `${service.url}/api/storage/file/?file_path=${encodeURIComponent(file_path)}`;
  expect(await call(find, { key: apiKey })).toMatchObject(missing);
});
