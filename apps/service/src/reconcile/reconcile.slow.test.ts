import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { purgeFailed } from "#cdn/cdn.js";
import { readConfig } from "#config.js";
import type { ProjectWithKey } from "#projects/create-project.js";
import { aReconciler } from "../../test/fixtures/a-reconciler.js";
import { aBucket } from "../../test/fixtures/a-bucket.js";
import { aDatabase } from "../../test/fixtures/a-database.js";
import { aProject } from "../../test/fixtures/a-project.js";
import { aService, type RunningService } from "../../test/fixtures/a-service.js";
import { anUpload, call, putBytes } from "../../test/fixtures/call.js";
import { queryDatabase } from "../../test/fixtures/direct-access.js";
import { type ReconcileFinding, reconcile } from "./reconcile.js";

let service: RunningService;
let reconciler: ReturnType<typeof aReconciler>;
beforeAll(async () => {
  service = await aService();
  reconciler = aReconciler(readConfig({ ...inject("servers") }));
});
afterAll(async () => {
  await reconciler.close();
  await service.close();
});

const bytes = (length: number) => new Uint8Array(length).fill(65);
const inMs = (ms: number) => () => new Date(Date.now() + ms);
const MINUTES = 60_000;
const DAYS = 24 * 60 * MINUTES;

async function run(
  project: ProjectWithKey,
  { repair = false, deleteOrphans = false, clock = inMs(0) } = {},
): Promise<ReconcileFinding[]> {
  const input = { projectRef: project.ref, repair, deleteOrphans };
  return collect(reconcile({ ...reconciler.deps, clock }, input));
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function aStoredFile(project: ProjectWithKey, size: number, tenant_id = "t") {
  const upload = await anUpload(service.url, project.apiKey, { tenant_id, filename: "a.txt" });
  expect(await putBytes(upload, bytes(size))).toBe(200);
  await ask(project, "complete", { file_path: upload.file_path });
  return upload;
}

async function ask(project: ProjectWithKey, verb: string, body: object) {
  const answer = await call(`${service.url}/api/storage/${verb}/`, { key: project.apiKey, body });
  expect(answer.status).toBe(200);
}

/** Stores an object without the service. */
async function plant(path: string, size: number, { deps } = reconciler): Promise<void> {
  const presigned_url = await deps.store.presignPut({
    path,
    contentType: "text/plain",
    sizeBytes: undefined,
    contentMd5: undefined,
    signedAt: new Date(),
    expiresInSeconds: 60,
  });
  expect(await putBytes({ presigned_url, headers: { "Content-Type": "text/plain" } }, bytes(size))).toBe(200);
}

async function countersOf(project: ProjectWithKey) {
  const rows = await queryDatabase<Record<string, string>>(
    `select t.tenant_id, used_bytes::text, t.reserved_bytes::text, file_count from tenants t
     join projects p on p.id = t.project_id where p.ref = $1 order by tenant_id`,
    [project.ref],
  );
  return rows.map((row) => [row["tenant_id"], row["used_bytes"], row["reserved_bytes"], row["file_count"]]);
}

const corrupt = (project: ProjectWithKey, sql: string) =>
  queryDatabase(`update ${sql} from projects p where p.id = project_id and p.ref = $1`, [project.ref]);

describe("reconcile", () => {
  test("finds no drift while an upload is running and after a deleted file was written again", async () => {
    const project = await aProject();
    await aStoredFile(project, 3);
    await anUpload(service.url, project.apiKey, { tenant_id: "t", filename: "open.txt", size: 9 });
    const young = await anUpload(service.url, project.apiKey, { tenant_id: "t", filename: "b.txt" });
    await putBytes(young, bytes(4));
    const deleted = await aStoredFile(project, 5);
    await ask(project, "delete", { file_path: deleted.file_path });
    await putBytes(deleted, bytes(5));
    expect(await run(project)).toEqual([]);
  });

  test("finds counters that differ from the sums over the files, and repairs them", async () => {
    const project = await aProject();
    await aStoredFile(project, 3, "a");
    await aStoredFile(project, 5, "b");
    await corrupt(project, "tenants set used_bytes = 1, reserved_bytes = 7, file_count = 9");
    expect((await run(project)).map(({ drift, repaired }) => [drift, repaired])).toEqual([
      [
        {
          kind: "counters",
          projectRef: project.ref,
          tenantId: "a",
          recorded: { usedBytes: 1, reservedBytes: 7, fileCount: 9 },
          actual: { usedBytes: 3, reservedBytes: 0, fileCount: 1 },
        },
        null,
      ],
      [expect.objectContaining({ tenantId: "b" }), null],
    ]);
    expect(await run(project, { repair: true })).toHaveLength(2);
    expect(await countersOf(project)).toEqual([
      ["a", "3", "0", 1],
      ["b", "5", "0", 1],
    ]);
    expect(await run(project)).toEqual([]);
  });

  test("finds daily usage that differs from the files, and adds the difference to the day of the repair", async () => {
    const project = await aProject();
    await aStoredFile(project, 3, "a");
    await aStoredFile(project, 5, "b");
    await corrupt(project, "usage_daily set uploaded_bytes = 10, uploads = 4, day = day - 3");
    expect((await run(project)).map(({ drift }) => drift)).toEqual([
      {
        kind: "days",
        projectRef: project.ref,
        tenantId: "a",
        recorded: { usedBytes: 10, fileCount: 4 },
        actual: { usedBytes: 3, fileCount: 1 },
      },
      expect.objectContaining({ kind: "days", tenantId: "b" }),
    ]);
    expect(await run(project, { repair: true })).toHaveLength(2);
    expect(await run(project)).toEqual([]);
    const [today] = await queryDatabase<object>(
      `select deleted_bytes::int as bytes, deleted_files as files from usage_daily u
       join projects p on p.id = u.project_id where p.ref = $1 and day = (now() at time zone 'UTC')::date
       order by tenant limit 1`,
      [project.ref],
    );
    expect(today).toEqual({ bytes: 7, files: 3 });
  });

  test("finds a stored file without an object, and stops counting it", async () => {
    const project = await aProject();
    const lost = await aStoredFile(project, 5);
    await aStoredFile(project, 3);
    await reconciler.deps.store.remove(lost.file_path);
    expect(await run(project)).toEqual([
      {
        drift: { kind: "missing", projectRef: project.ref, path: lost.file_path, recordedBytes: 5 },
        repaired: null,
      },
    ]);
    expect(await run(project, { repair: true })).toMatchObject([{ repaired: { outcome: "mended" } }]);
    expect(await countersOf(project)).toEqual([["t", "3", "0", 1]]);
    const file = await call<{ status: string; size: number | null }>(
      `${service.url}/api/storage/file/?file_path=${encodeURIComponent(lost.file_path)}`,
      { key: project.apiKey },
    );
    expect(file.body).toMatchObject({ status: "expired", size: null });
    expect(await run(project, { repair: true })).toEqual([]);

    await plant(lost.file_path, 6);
    expect(await run(project, { repair: true, clock: inMs(2 * MINUTES) })).toMatchObject([
      { drift: { kind: "unsettled", status: "expired" }, repaired: { outcome: "mended" } },
    ]);
    expect(await countersOf(project)).toEqual([["t", "9", "0", 2]]);
  });

  test("keeps every row if the bucket has no file at all, because it is probably the wrong bucket", async () => {
    const project = await aProject();
    const { file_path } = await aStoredFile(project, 5);
    const store = {
      ...reconciler.deps.store,
      list: async () => ({ objects: [], nextCursor: null }),
      head: async () => null,
    };
    const input = { projectRef: project.ref, repair: true, deleteOrphans: true };
    expect(await collect(reconcile({ ...reconciler.deps, store }, input))).toMatchObject([
      { drift: { kind: "missing", path: file_path }, repaired: { outcome: "kept" } },
    ]);
    expect(await countersOf(project)).toEqual([["t", "5", "0", 1]]);
  });

  test("finds a file whose object has another size, and counts the object", async () => {
    const project = await aProject();
    const upload = await aStoredFile(project, 5);
    await putBytes(upload, bytes(8));
    expect(await run(project, { repair: true })).toMatchObject([
      { drift: { kind: "size", recordedBytes: 5, foundBytes: 8 }, repaired: { outcome: "mended" } },
    ]);
    expect(await countersOf(project)).toEqual([["t", "8", "0", 1]]);
    expect(await run(project)).toEqual([]);
  });

  test("finds an upload that was not counted for a minute, and counts it", async () => {
    const project = await aProject();
    const upload = await anUpload(service.url, project.apiKey, {
      tenant_id: "t",
      filename: "a.txt",
      size: 4,
    });
    await putBytes(upload, bytes(4));
    expect(await run(project, { repair: true, clock: inMs(2 * MINUTES) })).toMatchObject([
      {
        drift: { kind: "unsettled", status: "pending", foundBytes: 4, path: upload.file_path },
        repaired: { outcome: "mended" },
      },
    ]);
    expect(await countersOf(project)).toEqual([["t", "4", "0", 1]]);
  });

  test("finds an object without a row, and removes it only with --delete-orphans and after two days", async () => {
    const project = await aProject();
    await aStoredFile(project, 3);
    const path = `projects/${project.ref}/tenants/nobody/見積書🙂.pdf`;
    await plant(path, 6);
    const orphan = { kind: "orphan", path, foundBytes: 6, isProjectKnown: true };
    expect(await run(project)).toMatchObject([{ drift: orphan, repaired: null }]);
    for (const options of [
      { repair: true },
      { repair: true, deleteOrphans: true },
      { repair: true, clock: inMs(3 * DAYS) },
    ])
      expect(await run(project, options)).toMatchObject([{ drift: orphan, repaired: { outcome: "kept" } }]);
    expect(await reconciler.deps.store.head(path)).not.toBeNull();
    expect(await run(project, { repair: true, deleteOrphans: true, clock: inMs(3 * DAYS) })).toMatchObject([
      { drift: orphan, repaired: { outcome: "mended" } },
    ]);
    expect(await reconciler.deps.store.head(path)).toBeNull();
    expect(await countersOf(project)).toEqual([["t", "3", "0", 1]]);
  });

  test("names each orphan whose purge the CDN refuses, and removes the others too", async () => {
    const project = await aProject();
    const paths = ["a.txt", "b.txt"].map((name) => `projects/${project.ref}/tenants/nobody/${name}`);
    for (const path of paths) await plant(path, 6);
    const { store } = reconciler.deps;
    const remove = async (path: string) => {
      await store.remove(path);
      throw purgeFailed("HTTP 500");
    };
    const input = { projectRef: project.ref, repair: true, deleteOrphans: true };
    const deps = { ...reconciler.deps, store: { ...store, remove }, clock: inMs(3 * DAYS) };
    expect(await collect(reconcile(deps, input))).toMatchObject(
      paths.map((path) => ({
        drift: { kind: "orphan", path },
        repaired: {
          outcome: "kept",
          why: expect.stringContaining("the CDN did not take the purge") as unknown,
        },
      })),
    );
    for (const path of paths) expect(await store.head(path)).toBeNull();
  });

  test("keeps the objects of a project that is not in this database, also with --delete-orphans", async () => {
    // This run covers all projects. With the shared database it would check every file that other tests left without an object.
    const database = await aDatabase();
    const servers = { ...inject("servers"), DATABASE_URL: database.url, S3_BUCKET: await aBucket() };
    const isolated = aReconciler(readConfig(servers));
    try {
      const path = "projects/0000000000000000000000/tenants/x/y.txt";
      await plant(path, 1, isolated);
      const input = { projectRef: null, repair: true, deleteOrphans: true };
      const clock = inMs(3 * DAYS);
      expect(await collect(reconcile({ ...isolated.deps, clock }, input))).toMatchObject([
        { drift: { kind: "orphan", path, isProjectKnown: false }, repaired: { outcome: "kept" } },
      ]);
      expect(await isolated.deps.store.head(path)).not.toBeNull();
    } finally {
      await isolated.close();
      await database.drop();
    }
  });

  test("compares rows and listing over many pages, with names in any script", async () => {
    const project = await aProject();
    const { file_path } = await aStoredFile(project, 1);
    const folder = file_path.slice(0, file_path.lastIndexOf("/"));
    const names = ["a", "Z", "é", "हिन्दी", "\uff01", "🙂", "_", "~"];
    const paths = Array.from(
      { length: 1100 },
      (_, i) => `${folder}/${names[i % 8]}${i}${names[(i * 3) % 8]}`,
    );
    for (let at = 0; at < paths.length; at += 50)
      await Promise.all(paths.slice(at, at + 50).map((path) => plant(path, 1)));
    await queryDatabase(
      `insert into files (project_id, tenant, path, filename, content_type, size, status, created_at, stored_at, url_expires_at)
       select f.project_id, f.tenant, x.path, 'x', 'text/plain', 1, 'stored', now(), now(), now()
       from files f, jsonb_array_elements_text($2::text::jsonb) x(path) where f.path = $1`,
      [file_path, JSON.stringify(paths)],
    );
    expect(await run(project, { repair: true })).toMatchObject([{ drift: { kind: "counters" } }]);
    expect(await countersOf(project)).toEqual([["t", "1101", "0", 1101]]);
    const lost = [paths[0]!, paths[500]!, paths[1099]!];
    for (const path of lost) await reconciler.deps.store.remove(path);
    const found = await run(project);
    expect(found.map(({ drift }) => drift.kind === "missing" && drift.path).sort()).toEqual(lost.sort());
  }, 120_000);

  test("repairs counters exactly while uploads, replays and deletes are running", async () => {
    const project = await aProject();
    await aStoredFile(project, 1);
    const load = { isOver: false };
    const traffic = async (worker: number) => {
      for (let turn = 0; turn < 12; turn++) {
        const upload = await aStoredFile(project, 1 + ((worker + turn) % 9));
        if (turn % 3 === 0) await ask(project, "delete", { file_path: upload.file_path });
        if (turn % 3 === 1) {
          await putBytes(upload, bytes(20));
          await ask(project, "complete", { file_path: upload.file_path });
        }
      }
    };
    const repairing = async () => {
      for (let i = 0; !load.isOver || i === 0; i++) {
        await corrupt(project, "tenants set used_bytes = used_bytes + 1000, file_count = file_count + 100");
        const findings = await run(project, { repair: true });
        expect(findings.map(({ drift }) => drift.kind)).toContain("counters");
        expect(findings.map(({ drift }) => drift.kind)).not.toContain("orphan");
        expect(findings.map(({ drift }) => drift.kind)).not.toContain("missing");
      }
    };
    const repairs = repairing();
    await Promise.all([0, 1, 2, 3, 4, 5].map(traffic)).finally(() => (load.isOver = true));
    await repairs;
    expect(await run(project)).toEqual([]);
  }, 300_000);
});
