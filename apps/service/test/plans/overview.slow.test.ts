import { afterAll, beforeAll, expect, test } from "vitest";
import { projectsListInput, tenantsListInput } from "@stowage/operator-schemas";
import { listVisibleProjects } from "#members/visible-projects.js";
import { readHealth } from "#health/read-health.js";
import { readRequests } from "#health/read-requests.js";
import { listTenants } from "#tenants/list-tenants.js";
import { readTenantDailyUsage } from "#tenants/read-tenant-daily-usage.js";
import { listRefusedRequests } from "#usage/list-refused-requests.js";
import { readNewestUploads } from "#usage/read-newest-uploads.js";
import { readOverview } from "#usage/read-overview.js";
import { readRefusals } from "#usage/read-refusals.js";
import { readProjectDailyUsage } from "#usage/read-project-daily-usage.js";
import { aPlanReader } from "../fixtures/a-plan-reader.js";

const TENANTS = 100_000;
/** A bitmap scan reads each row twice: once in the index and once in the table. */
const READS_PER_ROW = 2;
const PROJECT = { id: 1, ref: "p1" };

let reader: Awaited<ReturnType<typeof aPlanReader>>;
let deps: { db: typeof reader.db; clock: () => Date; defaultQuotaBytes: number; defaultLimits: object };

beforeAll(async () => {
  reader = await aPlanReader();
  // One large project and 19 others have years of usage. Each tenant of the large one has three days of usage.
  await reader.sql.unsafe(`
    insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
      select 'p' || i, 'p', 'h' || i, '', '', 1, now(), now() from generate_series(1, 20) i;
    insert into tenants (project_id, tenant_id, ref, used_bytes, file_count, created_at)
      select 1, 'tenant ' || i, 'r' || i, i % 1000, 1, now() from generate_series(1, ${TENANTS}) i;
    insert into tenants (project_id, tenant_id, ref, created_at)
      select 1 + i % 20, 'other ' || i, 'o' || i, now() from generate_series(1, 1000) i where i % 20 > 0;
    insert into usage_daily (project_id, tenant, day, uploads, uploaded_bytes, deleted_files, deleted_bytes)
      select project_id, id, now()::date - n * 11, 1, 1, 0, 0 from tenants, generate_series(0, 2) n where project_id = 1;
    insert into project_usage_daily (project_id, day, slot, uploads, uploaded_bytes, deleted_files, deleted_bytes)
      select p, now()::date - n, slot, 1, 1, 0, 0
      from generate_series(1, 20) p, generate_series(0, 800) n, generate_series(0, 15) slot;
    insert into refusals_daily (project_id, day, code, count)
      select p, now()::date - n, code, 1
      from generate_series(1, 20) p, generate_series(0, 800) n, unnest(array['quota_exceeded', 'file_too_large']) code;
    insert into refused_requests (project_id, minute, code, tenant_id, count, last_at)
      select p, now() - n * interval '1 minute', code, 't', 1, now()
      from generate_series(1, 20) p, generate_series(1, 250) n, unnest(array['quota_exceeded', 'file_too_large']) code;
    insert into request_minutes (minute, requests, refused, wrong_keys, failed, latencies)
      select date_trunc('minute', now()) - n * interval '1 minute', 1, 0, 0, 0, array_fill(1, array[31])
      from generate_series(0, 2879) n;
    insert into files (project_id, tenant, path, filename, content_type, reserved_bytes, url_expires_at, created_at, next_check_at)
      select 1, (select min(id) from tenants where project_id = 1), 'path ' || i, 'f', '', 0, now(), now(), now() - i * interval '1 second'
      from generate_series(1, 20000) i;
    analyze;`);
  deps = { db: reader.db, clock: () => new Date(), defaultQuotaBytes: 999, defaultLimits: {} };
});
afterAll(() => reader.close());

test("the totals of a project read each of its tenants once", async () => {
  const { result, read } = await reader.costOf(() => readOverview(deps, PROJECT));
  expect(result).toMatchObject({
    tenantCount: TENANTS,
    fileCount: TENANTS,
    tenantsOverQuota: 100,
    hasFiles: true,
  });
  expect(read).toBeLessThan(READS_PER_ROW * 1.1 * TENANTS);
});

test("90 days of a project's usage read only the slots of those days, with any number of tenants and years", async () => {
  const { result, read } = await reader.costOf(() => readProjectDailyUsage(deps, PROJECT, { days: 90 }));
  expect(result.at(-1)).toMatchObject({ uploads: 16 });
  expect(read).toBeLessThanOrEqual(READS_PER_ROW * 90 * 16);
});

test("90 days of a tenant's usage read only the tenant's rows, and the slots of its project in those days", async () => {
  const ofTenant = { days: 90, tenantId: "tenant 77" } as const;
  const { result, read } = await reader.costOf(() => readTenantDailyUsage(deps, PROJECT, ofTenant));
  expect(result.filter(({ uploads }) => uploads > 0)).toHaveLength(3);
  expect(read).toBeLessThan(10 + READS_PER_ROW * 90 * 16);
});

test("90 days of refusals read only their own rows, and the newest uploads read fewer than 100 rows", async () => {
  expect((await reader.costOf(() => readRefusals(deps, PROJECT, { days: 90 }))).read).toBeLessThanOrEqual(
    READS_PER_ROW * 90 * 2,
  );
  expect((await reader.costOf(() => readNewestUploads(deps, PROJECT))).read).toBeLessThan(100);
});

test("the newest refused requests of a project read only that project's rows", async () => {
  const { result, read } = await reader.costOf(() => listRefusedRequests(deps, PROJECT, { limit: 50 }));
  expect(result).toHaveLength(50);
  expect(read).toBeLessThan(READS_PER_ROW * 60);
  const ofReason = { code: "quota_exceeded", limit: 50 } as const;
  expect((await reader.costOf(() => listRefusedRequests(deps, PROJECT, ofReason))).read).toBeLessThanOrEqual(
    READS_PER_ROW * 500,
  );
});

test("a day of requests reads only the minutes of that day", async () => {
  const { result, read } = await reader.costOf(() => readRequests(deps, { hours: 24 }));
  expect(result).toHaveLength(96);
  expect(result[0]!.p95Ms).toBeGreaterThan(0);
  expect(read).toBeLessThanOrEqual(READS_PER_ROW * 24 * 60);
});

test("the health counts at most 1,001 late checks, with any number of them", async () => {
  const { result, read } = await reader.costOf(() =>
    readHealth({
      ...deps,
      healthDb: deps.db,
      load: () => [],
      isDiskFull: () => false,
      storages: { all: [{ name: null, store: { check: async () => undefined } }] },
      replica: { id: "r", version: "1.0.0" },
      acceptsStorageEvents: false,
      webhooksOn: true,
    }),
  );
  expect(result.sweep.overdueUploads).toEqual({ count: 1000, isExact: false });
  expect(read).toBeLessThan(READS_PER_ROW * 1100);
});

test("the five largest tenants of a project read five tenants", async () => {
  const query = tenantsListInput.parse({ sort: "used_bytes", limit: 5 });
  const { result, read } = await reader.costOf(() => listTenants(deps, PROJECT, query));
  expect(result.tenants.map(({ usedBytes }) => usedBytes)).toEqual([999, 999, 999, 999, 999]);
  expect(read).toBeLessThan(30);
});

test("the usage of a page of projects reads the days of those projects, with any number of tenants", async () => {
  const query = projectsListInput.parse({ withUsage: true, limit: 2, sort: "name", order: "asc" });
  const { result, read } = await reader.costOf(() =>
    listVisibleProjects(deps, { id: "o", isAdmin: true }, query),
  );
  expect(result.projects.map(({ usage }) => usage)).toEqual(
    [1, 2].map(() => ({ usedBytes: 801 * 16, fileCount: 801 * 16 })),
  );
  expect(read).toBeLessThan(READS_PER_ROW * 2 * 801 * 16 + 200);
});
