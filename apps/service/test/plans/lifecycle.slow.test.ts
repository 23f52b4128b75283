import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { moveFiles } from "#visibility/move-file.js";
import { endFiles } from "#files/lifecycle/end-files.js";
import { refuseFilesOnHold } from "#files/lifecycle/set-hold.js";
import { claimScans } from "#scans/claim-scan.js";
import { listQuarantine } from "#scans/list-quarantine.js";
import { continueTenantDeletions } from "#purge/delete-tenant.js";
import { aPlanReader } from "../fixtures/a-plan-reader.js";

const FILES = 60_000;
const TENANTS = 10_000;
const PROJECT = { id: 1, ref: "p" };
/** Far below the number of files or tenants. A cost that grows with a table would be above it. */
const MAX_ROWS = 50;

let reader: Awaited<ReturnType<typeof aPlanReader>>;

beforeAll(async () => {
  reader = await aPlanReader();
  // Half of the files have an end in the future, a tenth is in the trash, and one file of the last tenant is on hold.
  await reader.sql.unsafe(`
    insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at, scan)
      values ('p', 'p', 'h', '', '', 1, now(), now(), 'clamav');
    insert into tenants (project_id, tenant_id, ref, created_at)
      select 1, 'tenant ' || i, 'r' || i, now() from generate_series(1, ${TENANTS}) i;
    insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at,
                       expires_at, purge_at, held, scan_status)
      select 1, 1 + i % ${TENANTS}, 'path/' || i, 'a.txt', 'text/plain', 1,
             case when i % 10 = 0 then 'trashed' else 'stored' end::file_status, now(), now(),
             case when i % 2 = 0 then now() + i * interval '1 minute' + interval '1 day' end,
             case when i % 10 = 0 then now() + interval '30 days' end,
             i = ${FILES - 1},
             case when i % 20000 = 1 then 'infected' else 'clean' end::scan_status
      from generate_series(1, ${FILES}) i;
    analyze;`);
});
afterAll(() => reader.close());

const unused = () => Promise.reject(new Error("no file ends here"));
const depsOf = () => ({
  db: reader.db,
  clock: () => new Date(),
  store: {
    published: null,
    remove: unused,
    listMultiparts: unused,
    abortMultipart: unused,
    listParts: unused,
  },
});

describe.each(["force_custom_plan", "force_generic_plan"])(`with ${FILES} files and %s`, (mode) => {
  beforeAll(() => reader.sql.unsafe(`set plan_cache_mode = ${mode}`));

  test("the job that ends files reads only files whose time has come", async () => {
    const { result, read } = await reader.costOf(() => endFiles(depsOf()));
    expect(result).toBe(false);
    expect(read).toBeLessThan(MAX_ROWS);
  });

  test("the job that moves public files reads only files that are not where they belong", async () => {
    const { store, ...deps } = depsOf();
    const reads = {
      head: unused,
      read: unused,
      list: unused,
      check: unused,
      presignGet: unused,
      urlOf: String,
    };
    const moving = {
      ...deps,
      onError: unused,
      store: {
        ...store,
        head: unused,
        read: unused,
        published: {
          ...reads,
          downloadUrlsEnd: unused,
          remove: unused,
          publish: unused,
          takeBack: unused,
          readCors: unused,
          writeCors: unused,
        },
      },
    };
    const { result, read } = await reader.costOf(() => moveFiles(moving, { afterProject: 0 }));
    expect(result).toBe(false);
    expect(read).toBeLessThan(MAX_ROWS);
  });

  test("the job that continues with deletions of tenants reads only those tenants", async () => {
    const { result, read } = await reader.costOf(() =>
      continueTenantDeletions(depsOf(), { afterProject: 0 }),
    );
    expect(result).toBe(false);
    expect(read).toBeLessThan(MAX_ROWS);
  });

  test.each([
    ["a tenant without files on hold", { projectId: 1, tenant: 1 }, undefined],
    ["a tenant with a file on hold", { projectId: 1, tenant: TENANTS }, "file_on_hold"],
    ["a project with a file on hold", { projectId: 1 }, "file_on_hold"],
  ])("the look for files on hold reads only those, in %s", async (_what, of, code) => {
    const look = () =>
      reader.db
        .run((db) => db.transaction((tx) => refuseFilesOnHold(tx, of)))
        .then(() => undefined)
        .catch((error: { code?: string }) => error.code);
    const { result, read } = await reader.costOf(look);
    expect(result).toBe(code);
    expect(read).toBeLessThan(MAX_ROWS);
  });

  test("a worker that finds no file to scan reads few rows", async () => {
    const { result, read } = await reader.costOf(() => claimScans(depsOf(), { afterProject: 0 }, 32));
    expect(result).toEqual([]);
    expect(read).toBeLessThan(MAX_ROWS);
  });

  test("the quarantine reads only files in quarantine", async () => {
    const { result, read } = await reader.costOf(() => listQuarantine(depsOf(), PROJECT, { limit: 50 }));
    expect(result.files).toHaveLength(3);
    expect(read).toBeLessThan(MAX_ROWS);
  });
});
