import { type ListFilesQuery, listFilesQuery, parse } from "@stowage/schemas";
import { filesCountInput, filesListInput, tenantsListInput } from "@stowage/operator-schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browseFiles } from "#files/list/browse-files.js";
import { countFiles } from "#files/list/count-files.js";
import { listFiles } from "#files/list/list-files.js";
import { writeCursor } from "#lib/cursor.js";
import { SCATTERED_WINDOW, SEARCH_WINDOW } from "#lib/search.js";
import { countTenants, listTenants } from "#tenants/list-tenants.js";
import { aPlanReader } from "../fixtures/a-plan-reader.js";

const FILES = 200_000;
/** The files were requested one second apart, on three days. */
const START = "2026-01-01T00:00:00Z";
const PROJECT = { id: 1, ref: "p" };
const TENANTS = 20_000;

let reader: Awaited<ReturnType<typeof aPlanReader>>;
let deps: {
  db: typeof reader.db;
  clock: () => Date;
  defaultQuotaBytes: null;
  defaultLimits: object;
  store: { published: null };
};

beforeAll(async () => {
  reader = await aPlanReader();
  // An uneven table, which is hard to plan for: one project has all files, one tenant has half of them, some statuses are rare.
  await reader.sql.unsafe(`
    insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
      select 'p' || i, 'p', 'h' || i, '', '', 1, now(), now() from generate_series(1, 3) i;
    insert into tenants (project_id, tenant_id, ref, used_bytes, created_at)
      select 1, 'tenant ' || i, 'r' || i, (i * 7919) % 1000, now() from generate_series(1, ${TENANTS}) i;
    insert into tenants (project_id, tenant_id, ref, created_at) select 2, 'tenant 1', 'r', now();
    insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at)
      select 1, case when i % 2 = 0 then 1 else 2 + i % (${TENANTS} - 1) end, 'path/' || i, 'file ' || i || '.txt', 'text/plain', (i * 7919) % 1000,
             case when i % 1000 = 0 then 'expired' when i % 100 = 1 then 'pending'
                  when i > ${FILES} - 20000 then 'deleting' else 'stored' end::file_status, now(), '${START}'::timestamptz + i * interval '1 second'
      from generate_series(1, ${FILES}) i;
    analyze;`);
  deps = {
    db: reader.db,
    clock: () => new Date(),
    defaultQuotaBytes: null,
    defaultLimits: {},
    store: { published: null },
  };
});
afterAll(() => reader.close());

/** Reads a page of a list and counts the rows that PostgreSQL read for it. */
async function costOf<Page>(list: () => Promise<Page>): Promise<{ page: Page; read: number }> {
  const { result, read } = await reader.costOf(list);
  return { page: result, read };
}

const files = (query: object) => {
  const parsed: ListFilesQuery = parse(listFilesQuery, query);
  return costOf(() => listFiles(deps, PROJECT, parsed));
};
const tenants = (query: object) => {
  const parsed = tenantsListInput.parse(query);
  return costOf(() => listTenants(deps, PROJECT, parsed));
};
const fileCursor = (id: number) => writeCursor("files", [(Date.parse(START) + id * 1000) * 1000, id]);

/** Three windows: one of the frequent status, one of all rare statuses, and one to find out whether the tenant is large. */
const MAX_SEARCH_ROWS = 3 * SEARCH_WINDOW;
/** `limit + 1` rows of each of the three statuses, and the tenant of each row. It does not grow with the table. */
const MAX_PAGE_ROWS = 400;

describe(`a page of a list of ${FILES} files`, () => {
  const tenantFilters = [{}, { tenant_id: "tenant 1" }, { tenant_id: "tenant 77" }, { tenant_id: "unknown" }];
  const statusFilters = [
    {},
    { status: "stored" },
    { status: "pending" },
    { status: "expired" },
    { status: "deleting" },
  ];
  test.each(tenantFilters.flatMap((tenant) => statusFilters.map((status) => [{ ...tenant, ...status }])))(
    "reads a few hundred rows at the start and in the middle, with %j",
    async (filter) => {
      for (const cursor of [undefined, fileCursor(FILES - 10_000), fileCursor(FILES / 2), fileCursor(100)]) {
        const { read } = await files({ ...filter, ...(cursor ? { cursor } : {}) });
        expect(read).toBeLessThan(MAX_PAGE_ROWS);
      }
    },
  );
});

const browse = (query: object) => costOf(() => browseFiles(deps, PROJECT, filesListInput.parse(query)));

describe(`a page of the dashboard's list of ${FILES} files`, () => {
  const sorts = ["created_at", "filename", "size"].flatMap((sort) =>
    ["asc", "desc"].map((order) => ({ sort, order })),
  );
  const settled = { states: ["stored"] };

  test.each(sorts)(
    "reads a few hundred settled files with %j, on the first and later pages",
    async (sorted) => {
      let cursor: string | null = null;
      for (let pages = 0; pages < 4; pages++) {
        const { page, read } = await browse({ ...settled, ...sorted, ...(cursor ? { cursor } : {}) });
        expect(page.files).toHaveLength(50);
        expect(read).toBeLessThan(MAX_PAGE_ROWS);
        if (page.previousCursor) {
          const back = await browse({ ...settled, ...sorted, cursor: page.previousCursor });
          expect(back.page.files).toHaveLength(50);
          expect(back.read).toBeLessThan(2 * MAX_PAGE_ROWS);
        }
        cursor = page.nextCursor;
      }
    },
  );

  test.each([
    { from: "2026-01-02" },
    { to: "2026-01-02" },
    { from: "2026-01-02", to: "2026-01-02", tenantId: "tenant 1" },
    { from: "2026-01-02", to: "2026-01-02", order: "asc" },
  ])("reads a few hundred files of the days %j", async (days) => {
    const { page, read } = await browse(days);
    expect(page.files).toHaveLength(50);
    expect(read).toBeLessThan(MAX_PAGE_ROWS);
  });

  test.each([["uploading"], ["unfinished"], ["missing"], ["stored", "missing"]])(
    "reads at most three windows for the states %j",
    async (...states) => {
      const { read } = await browse({ states });
      expect(read).toBeLessThan(MAX_SEARCH_ROWS);
    },
  );

  test.each(
    [
      ...sorts,
      ...sorts.flatMap((sorted) => [
        { ...sorted, tenantId: "tenant 1" },
        { ...sorted, tenantId: "tenant 77" },
      ]),
    ].flatMap((query) => [query, { ...query, kind: "image" }, { ...query, q: "nowhere" }]),
  )("reads at most three windows with %j", async (query) => {
    const { page, read } = await browse(query);
    expect(read).toBeLessThan(MAX_SEARCH_ROWS);
    if (page.nextCursor === null) return;
    expect((await browse({ ...query, cursor: page.nextCursor })).read).toBeLessThan(MAX_SEARCH_ROWS);
  });
});

test.each(
  ["filename", "size"].flatMap((sort) => [
    { sort, q: "nowhere" },
    { sort, kind: "image" },
    { sort, from: "2026-01-02" },
  ]),
)("a filtered page in the order of names or sizes reads a smaller window, with %j", async (query) => {
  const { read } = await browse({ ...query, states: ["stored", "missing"] });
  expect(read).toBeLessThan(2 * SCATTERED_WINDOW + MAX_PAGE_ROWS);
});

describe("a search", () => {
  test("for a frequent name reads at most three windows", async () => {
    const { page, read } = await files({ q: "FILE" });
    expect(page.files).toHaveLength(50);
    expect(read).toBeLessThan(MAX_SEARCH_ROWS);
  });

  test.each([{}, { tenant_id: "tenant 1" }, { status: "stored" }])(
    "for a missing name reads at most three windows per page and continues on the next page, with %j",
    async (filter) => {
      const first = await files({ ...filter, q: "nowhere" });
      expect(first.page).toEqual({ files: [], nextCursor: expect.any(String) });
      const second = await files({ ...filter, q: "nowhere", cursor: first.page.nextCursor });
      for (const { read } of [first, second]) expect(read).toBeLessThan(MAX_SEARCH_ROWS);
    },
  );

  test("finds every match once, also if the matches are far apart", async () => {
    const found: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const { page } = await files({ q: "7777.TXT", limit: 3, ...(cursor ? { cursor } : {}) });
      found.push(...page.files.map((file) => file.filename));
      cursor = page.nextCursor;
      pages++;
    } while (cursor);
    const expected = await reader.sql<{ filename: string }[]>`
      select filename from files where filename like '%7777.txt' and status <> 'deleting' order by id desc`;
    expect(found).toEqual(expected.map((row) => row.filename));
    expect(pages).toBeGreaterThan(10);
  });
});

/** Each order of the tenants, with the sort key of a tenant in its middle. */
const tenantOrders = [
  { sort: "created_at", order: "desc", middle: [0, 10000] },
  { sort: "created_at", order: "asc", middle: [0, 10000] },
  { sort: "used_bytes", order: "desc", middle: [500, 10000] },
  { sort: "used_bytes", order: "asc", middle: [500, 10000] },
  { sort: "tenant_id", order: "asc", middle: [0, 5000] },
  { sort: "tenant_id", order: "desc", middle: [0, 5000] },
];

describe(`a list of ${TENANTS} tenants`, () => {
  test.each(tenantOrders)(
    "reads a few hundred rows per page by $sort $order",
    async ({ middle, ...query }) => {
      const first = await tenants(query);
      const cursor = writeCursor(`tenants by ${query.sort} ${query.order}`, middle);
      const second = await tenants({ ...query, cursor });
      const back = await tenants({ ...query, cursor: second.page.previousCursor });
      for (const { page, read } of [first, second, back]) {
        expect(page.tenants).toHaveLength(50);
        expect(read).toBeLessThan(MAX_PAGE_ROWS);
      }
      const again = await tenants({ ...query, cursor: back.page.nextCursor });
      expect(again.page.tenants).toEqual(second.page.tenants);
    },
  );

  test.each(tenantOrders)(
    "reads at most three windows in a search by $sort $order for a missing name",
    async ({ middle: _, ...query }) => {
      const { page, read } = await tenants({ ...query, q: "nowhere" });
      expect(page.nextCursor).not.toBeNull();
      expect(read).toBeLessThan(MAX_SEARCH_ROWS);
    },
  );
});

describe("a count", () => {
  test.each([{}, { tenantId: "tenant 1" }, { q: "nowhere" }, { kind: "image" }, { from: "2026-01-02" }])(
    "of files reads a part of each status, with %j",
    async (filter) => {
      const { read } = await costOf(() => countFiles(deps, PROJECT, filesCountInput.parse(filter)));
      expect(read).toBeLessThan(3 * SCATTERED_WINDOW + MAX_PAGE_ROWS);
    },
  );

  test("is exact for few files and a lower bound for many", async () => {
    const { page } = await costOf(() => countFiles(deps, PROJECT, filesCountInput.parse({})));
    expect(page.stored).toEqual({ count: 1000, isExact: false });
    expect(page.uploading).toEqual({ count: 0, isExact: true });
    const few = await costOf(() =>
      countFiles(deps, PROJECT, filesCountInput.parse({ tenantId: "tenant 77" })),
    );
    expect(few.page.stored).toEqual({ count: expect.any(Number), isExact: true });
  });

  test.each([{}, { q: "nowhere" }])("of tenants reads two thousand of them, with %j", async (filter) => {
    const { page, read } = await costOf(() => countTenants(deps, PROJECT, filter));
    expect(read).toBeLessThan(SCATTERED_WINDOW + 10);
    expect(page.isExact).toBe(false);
  });
});
