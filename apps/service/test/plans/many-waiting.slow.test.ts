import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFile } from "#files/record/find-file.js";
import { markUploadsStored } from "#files/settle/mark-stored.js";
import { removeObject } from "#files/delete/remove-objects.js";
import { settleFile } from "#files/settle/settle-upload.js";
import { readHealth } from "#health/read-health.js";
import { readFileRow } from "../fixtures/file-row.js";
import { aPlanReader } from "../fixtures/a-plan-reader.js";

const STORED = 30_000;
const WAITING = 30_000;
const PROJECT = { id: 1, ref: "p" };
/** An upper limit for the index look-ups of one call. A cost that grows with the table would be far above it. */
const MAX_PAGES = 150;

let reader: Awaited<ReturnType<typeof aPlanReader>>;

beforeAll(async () => {
  reader = await aPlanReader();
  const files = (from: number, count: number, status: string) => `
    insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at)
      select 1, 1 + i % 1000, 'path/' || i, 'a.txt', 'text/plain', 1, '${status}', now() + interval '1 hour', now()
      from generate_series(${from + 1}, ${from + count}) i;`;
  // `analyze` runs before any file waits, as on most days. So PostgreSQL expects no waiting files.
  await reader.sql.unsafe(`
    alter table files set (autovacuum_enabled = false);
    insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
      values ('p', 'p', 'h', '', '', 1, now(), now());
    insert into tenants (project_id, tenant_id, ref, created_at)
      select 1, 'tenant ' || i, 'r' || i, now() from generate_series(1, 1000) i;
    ${files(0, STORED, "stored")}
    analyze;
    ${files(STORED, WAITING, "pending")}
    ${files(STORED + WAITING, WAITING, "deleting")}`);
});
afterAll(() => reader.close());

const unused = () => Promise.reject(new Error("no file here is uploaded by parts"));
const noMultiparts = { listMultiparts: unused, abortMultipart: unused, listParts: unused };
const depsOf = (object: { sizeBytes: number; etag: string } | null) => ({
  db: reader.db,
  clock: () => new Date(),
  store: {
    published: null,
    head: async () => object,
    read: async () => null,
    remove: async () => undefined,
    ...noMultiparts,
  },
  defaultQuotaBytes: null,
  defaultLimits: {},
  markStored: async () => false,
});

/** The path of a waiting file. It differs for each mode, because a test can settle a file only once. */
const pathOf = (from: number, mode: string) => `path/${from + WAITING / 2 + mode.length}`;

describe.each(["force_custom_plan", "force_generic_plan"])(`with ${WAITING} waiting files and %s`, (mode) => {
  beforeAll(() => reader.sql.unsafe(`set plan_cache_mode = ${mode}`));

  test("finding a file reads few pages", async () => {
    const wanted = { filePath: pathOf(STORED, mode) };
    const { result, pages } = await reader.costOf(() => findFile(depsOf(null), PROJECT, wanted));
    expect(result.status).toBe("pending");
    expect(pages).toBeLessThan(MAX_PAGES);
  });

  test("recording an upload reads few pages", async () => {
    const deps = depsOf(null);
    const seen = (await readFileRow(deps, PROJECT.id, pathOf(STORED, mode)))!;
    const arrival = { seen, object: { sizeBytes: 1, etag: "e" } };
    const { result, pages } = await reader.costOf(() => markUploadsStored(deps, [arrival]));
    expect(result).toEqual([true]);
    expect(pages).toBeLessThan(MAX_PAGES);
  });

  test("rescheduling a missing upload reads few pages", async () => {
    const deps = depsOf(null);
    const seen = (await readFileRow(deps, PROJECT.id, pathOf(STORED, `${mode} `)))!;
    const { result, pages } = await reader.costOf(() => settleFile(deps, seen));
    expect(result).toBe("absent");
    expect(pages).toBeLessThan(MAX_PAGES);
  });

  test("removing a deleted file reads few pages", async () => {
    const path = pathOf(STORED + WAITING, mode);
    const { pages } = await reader.costOf(() => removeObject(depsOf(null), PROJECT.id, path));
    expect(await readFileRow(depsOf(null), PROJECT.id, path)).toBeUndefined();
    expect(pages).toBeLessThan(MAX_PAGES);
  });
});

test("the health reads at most as many scans that are due as it counts", async () => {
  await reader.sql`
    insert into file_tasks (project_id, file_id, kind, due_at)
    select project_id, id, 'scan', now() - make_interval(secs => 100 + id) from files where status = 'stored'`;
  // Each of its rows is new, so PostgreSQL's autovacuum does this within a minute, also where it does not yet analyze the files.
  await reader.sql`analyze file_tasks`;
  const { result, read } = await reader.costOf(() =>
    readHealth({
      ...depsOf(null),
      healthDb: reader.db,
      load: () => [],
      isDiskFull: () => false,
      storages: { all: [{ name: null, store: { check: async () => undefined } }] },
      replica: { id: "r", version: "0" },
      acceptsStorageEvents: false,
      webhooksOn: false,
    }),
  );
  expect(result.scans.overdue).toEqual({ count: 1000, isExact: false });
  expect(read).toBeLessThan(3 * 1000);
});
