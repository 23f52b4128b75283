import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_COUNTED, MAX_PROJECTS, readBackground } from "#health/background.js";
import { aPlanReader } from "../fixtures/a-plan-reader.js";

/** More than are counted. */
const ROWS = 3 * MAX_COUNTED;
const PROJECTS = 2 * MAX_PROJECTS;

let reader: Awaited<ReturnType<typeof aPlanReader>>;
beforeAll(async () => {
  reader = await aPlanReader();
  const files = (status: string, first: number, columns = "", values = "") => `
    insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at${columns})
      select 1 + i % 10, 1 + i % 10, '${status}/' || i, 'a.txt', 'text/plain', 1, '${status}', now(), now()${values}
      from generate_series(${first}, ${first + ROWS - 1}) i;`;
  // `analyze` runs before anything waits, as on most days. So PostgreSQL expects nothing that waits.
  await reader.sql.unsafe(`
    alter table files set (autovacuum_enabled = false);
    insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at, key_last_used_at)
      select 'p' || i, 'p', 'h' || i, '', '', 1, now(), now(), case when i <= 10 then now() end
      from generate_series(1, ${PROJECTS}) i;
    insert into tenants (project_id, tenant_id, ref, created_at)
      select i, 't', 'r' || i, now() from generate_series(1, 10) i;
    ${files("stored", 1)}
    analyze;
    ${files("pending", ROWS, ", reserved_bytes, next_check_at", ", 7, now() - interval '1 hour'")}`);
});
afterAll(() => reader.close());

const read = () => reader.costOf(() => readBackground({ db: reader.db, clock: () => new Date() }));

describe.each(["force_custom_plan", "force_generic_plan"])("with %s", (mode) => {
  beforeAll(() => reader.sql.unsafe(`set plan_cache_mode = ${mode}`));

  test("reads of what waits only as much as it counts", async () => {
    const { result, read: rows } = await read();
    expect(result.backlogs.sweep_uploads).toMatchObject({ count: MAX_COUNTED });
    expect(result.openUploads).toEqual({ count: MAX_COUNTED, reservedBytes: 7 * MAX_COUNTED });
    // Both counts, and all projects once. A statement without an index reads all files, six times as many.
    expect(rows).toBeLessThan(2 * MAX_COUNTED + 2 * PROJECTS);
  });
});

test("reads none of the files if nothing waits", async () => {
  await reader.sql`delete from files where status = 'pending'`;
  await reader.sql`vacuum files`;
  const { result, read: rows, pages } = await read();
  expect(result.openUploads).toEqual({ count: 0, reservedBytes: 0 });
  expect(rows).toBeLessThan(2 * PROJECTS);
  // The projects, and a look into the index of files for each of MAX_PROJECTS.
  expect(pages).toBeLessThan(6 * MAX_PROJECTS);
});

test("counts failed image variants by their indexes, among many that are ready or impossible", async () => {
  const variants = (status: string, count: number, columns = "", values = "") => `
    insert into file_variants (project_id, file_id, preset_hash, source_etag, path, parameters, status, size, created_at${columns})
      select 1 + i % 10, i, '${status}${values}', 'e', '${status}${values}/' || i, '{}', '${status}', 1, now()${values}
      from generate_series(1, ${count}) i;`;
  await reader.sql.unsafe(`
    ${variants("ready", ROWS)}
    ${variants("failed", ROWS, ", failure", ", $$image$$")}
    analyze file_variants;
    ${variants("failed", 7, ", failure", ", $$memory$$")}
    ${variants("waiting", 5, ", due_at, retry_at, failures", ", now() + interval $$1 hour$$, now(), 1")}`);
  const { result, read: rows } = await read();
  expect([result.failedVariants, result.failingVariants]).toEqual([7, 5]);
  expect(rows).toBeLessThan(2 * PROJECTS);
});

test("a full outbox costs a bounded number of rows, and its oldest event is exact", async () => {
  await reader.sql.unsafe(`
    insert into webhook_endpoints (project_id, ref, url, description, events, secret, created_at)
      values (1, 'e', 'https://example.com', '', '{}', '', now());
    insert into webhook_outbox (project_id, position, type, at, wanted_by, skipped_by, rows, by_tenant)
      select 1, now() - make_interval(secs => i), 'file.stored', now(), '{1}', '{}', '[]', '{}'
      from generate_series(1, ${ROWS}) i;`);
  const { result, read: rows } = await read();
  const { count, oldestDueAt } = result.backlogs.webhook_outbox;
  expect(count).toBe(MAX_COUNTED);
  expect((Date.now() - Date.parse(oldestDueAt!)) / 1000).toBeGreaterThanOrEqual(ROWS);
  expect(rows).toBeLessThan(MAX_COUNTED + 2 * PROJECTS);
});
