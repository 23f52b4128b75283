import { filesListInput } from "@stowage/operator-schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browseFiles, type ListedFilesPage } from "#files/list/browse-files.js";
import { SCATTERED_WINDOW, SEARCH_WINDOW } from "#lib/search.js";
import { aWorld, type World } from "../fixtures/a-world.js";

/** More files than one page of a search may read. */
const LARGE = SEARCH_WINDOW + 200;
/** For every 500th file of the large tenant, the other tenant has a file of the same name, size and time. */
const SAME_FILE_EVERY = 500;
const START = "2026-01-01T00:00:00Z";

let world: World;
let project: Awaited<ReturnType<World["project"]>>;
beforeAll(async () => {
  world = await aWorld();
  project = await world.project();
  await world.rows(
    `insert into tenants (project_id, tenant_id, ref, created_at)
     values ($1, 'large', 'l', now()), ($1, 'other', 'o', now())`,
    [project.id],
  );
  // The files have the same order by time, by name and by size.
  await world.rows(
    `insert into files (project_id, tenant, path, filename, content_type, size, folder, status, url_expires_at, created_at)
     select $1::bigint, t.id, t.tenant_id || i, 'file ' || lpad(i::text, 6, '0') || '.txt',
            case when i % 100 = 0 then 'image/png' else 'text/plain' end, i,
            case when i % 90 = 0 then 'photos' else '' end, 'stored', now(),
            '${START}'::timestamptz + i * interval '1 minute'
     from generate_series(1, ${LARGE}) i
     join tenants t on t.project_id = $1::bigint and (t.tenant_id = 'large' or i % ${SAME_FILE_EVERY} = 0)
     order by i, t.tenant_id`,
    [project.id],
  );
});
afterAll(() => world.close());

/** Reads all pages of a list and returns its files in order. */
async function listAll(query: object): Promise<{ id: number; tenantId: string }[]> {
  const listed: { id: number; tenantId: string }[] = [];
  let cursor: string | null = null;
  do {
    const input = filesListInput.parse({ ...query, limit: 100, ...(cursor ? { cursor } : {}) });
    const page = await browseFiles(world.deps, project, input);
    listed.push(...page.files.map(({ id, tenantId }) => ({ id, tenantId })));
    cursor = page.nextCursor;
  } while (cursor);
  return listed;
}

/** Reads the ids of the project's files that meet an SQL condition, in the order of the lists. */
async function idsWhere(condition: string, order: string): Promise<number[]> {
  const rows = await world.rows<{ id: number }>(
    `select f.id from files f join tenants t on t.project_id = f.project_id and t.id = f.tenant
     where f.project_id = $1 and ${condition} order by f.size ${order}, f.id ${order}`,
    [project.id],
  );
  return rows.map(({ id }) => id);
}

const orders = ["asc", "desc"];
const byNameOrSize = ["filename", "size"].flatMap((sort) => orders.map((order) => ({ sort, order })));

describe("a tenant with more files than a page may read", () => {
  test.each(
    byNameOrSize.flatMap((sorted) => [
      { ...sorted, filter: { q: "00.TXT" }, where: "f.filename like '%00.txt'" },
      { ...sorted, filter: { folder: "photos" }, where: "f.folder = 'photos'" },
      { ...sorted, filter: { kind: "image" }, where: "f.content_type = 'image/png'" },
      {
        ...sorted,
        filter: { from: "2026-01-03", to: "2026-01-03" },
        where: "f.created_at >= '2026-01-03' and f.created_at < '2026-01-04'",
      },
    ]),
  )("lists its own matching files by $sort $order with $filter", async ({ sort, order, filter, where }) => {
    const listed = await listAll({ tenantId: "large", sort, order, ...filter });
    expect(listed.map(({ id }) => id)).toEqual(await idsWhere(`${where} and t.tenant_id = 'large'`, order));
    expect(listed.length).toBeGreaterThan(10);
  });

  test.each(byNameOrSize)("lists no file of another tenant by $sort $order", async ({ sort, order }) => {
    const input = filesListInput.parse({ tenantId: "large", sort, order, limit: 100 });
    const page = await browseFiles(world.deps, project, input);
    const expected = await idsWhere("t.tenant_id = 'large'", order);
    expect(page.files.map(({ id }) => id)).toEqual(expected.slice(0, 100));
  });
});

describe("a previous page", () => {
  const page = (query: object, cursor?: string | null) =>
    browseFiles(
      world.deps,
      project,
      filesListInput.parse({ ...query, limit: 40, ...(cursor ? { cursor } : {}) }),
    );
  const idsOf = ({ files }: ListedFilesPage) => files.map(({ id }) => id);

  test.each(
    ["created_at", "filename", "size"].flatMap((sort) =>
      orders.flatMap((order) => [
        { sort, order },
        { sort, order, tenantId: "large" },
      ]),
    ),
  )("has the files right before the current one, with %j", async (query) => {
    const first = await page(query);
    const second = await page(query, first.nextCursor);
    const third = await page(query, second.nextCursor);
    const back = await page(query, third.previousCursor);
    expect(idsOf(back)).toEqual(idsOf(second));
    expect(idsOf(await page(query, back.nextCursor))).toEqual(idsOf(third));
    const start = await page(query, back.previousCursor);
    expect([idsOf(start), start.previousCursor]).toEqual([idsOf(first), null]);
  });

  test.each(byNameOrSize)("of a search by $sort $order goes back over every match once", async (sorted) => {
    const query = { ...sorted, kind: "image" };
    const [forward, backward]: number[][] = [[], []];
    let cursor: string | null = null;
    let last: ListedFilesPage;
    do {
      last = await page(query, cursor);
      forward!.push(...idsOf(last));
      cursor = last.nextCursor;
    } while (cursor);
    for (backward!.push(...idsOf(last)); last.previousCursor; backward!.unshift(...idsOf(last))) {
      last = await page(query, last.previousCursor);
    }
    // The page at the start of the list has its full length, so it may repeat matches of the page after it.
    expect([...new Set(backward)]).toEqual(forward);
  });

  test("of a search that found nothing in its part goes back to the files that it found before", async () => {
    // The only match is the newest file, so the second part of the search is empty.
    const query = { q: `file ${String(LARGE).padStart(6, "0")}`, tenantId: "large" };
    const first = await page(query);
    const second = await page(query, first.nextCursor);
    expect([first.files.length, second.files.length, second.nextCursor]).toEqual([1, 0, null]);
    expect(idsOf(await page(query, second.previousCursor))).toEqual(idsOf(first));
  });
});

describe("a search", () => {
  test("finds a name that is typed with decomposed letters", async () => {
    const other = await world.project();
    await world.upload(other, { filename: "Übersicht.txt" });
    const input = filesListInput.parse({ q: "Übersicht".normalize("NFD") });
    expect((await browseFiles(world.deps, other, input)).files).toHaveLength(1);
  });

  const windows = { created_at: SEARCH_WINDOW, filename: SCATTERED_WINDOW, size: SCATTERED_WINDOW };
  test.each(
    Object.entries(windows).flatMap(([sort, window]) => orders.map((order) => ({ sort, window, order }))),
  )("finds the first file that its first page did not read, by $sort $order", async (search) => {
    const { sort, window, order } = search;
    const firstUnread = (await idsWhere("true", order))[window]!;
    const [file] = await world.rows<{ filename: string }>("select filename from files where id = $1", [
      firstUnread,
    ]);
    const found = await listAll({ sort, order, q: file!.filename });
    expect(found.map(({ id }) => id)).toContain(firstUnread);
  });
});
