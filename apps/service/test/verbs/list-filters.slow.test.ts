import { listFilesQuery, parse } from "@stowage/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listFiles } from "#files/list/list-files.js";
import { aWorld, type World } from "../fixtures/a-world.js";

type Project = Awaited<ReturnType<World["project"]>>;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

/** Files that are stored without bytes, each a second newer than the one before. Every `each`-th is an invoice. */
async function someFiles(project: Project, count: number, each: number) {
  await world.upload(project, {});
  await world.rows(
    `insert into files (project_id, tenant, path, filename, content_type, size, etag, metadata, status, url_expires_at, created_at, stored_at)
     select $1::bigint, t.id, 'projects/' || $1::bigint || '/' || n, n || '.pdf', case when n % 2 = 0 then 'application/pdf' else 'image/png' end,
            n, 'e', case when n % $3::int = 0 then jsonb_build_object('kind', 'invoice', 'n', n::text) else '{}' end, 'stored',
            now(), now() - make_interval(secs => $2::int + 100 - n), now()
     from tenants t, generate_series(1, $2::int) n where t.project_id = $1::bigint`,
    [project.id, count, each],
  );
}

async function readAll(project: Project, query: object) {
  const names: string[] = [];
  let pages = 0;
  for (let cursor: string | null | undefined; cursor !== null; pages++) {
    const page = await listFiles(
      world.deps,
      project,
      parse(listFilesQuery, { limit: 100, ...query, cursor }),
    );
    expect(page.files.length).toBeLessThanOrEqual(100);
    names.push(...page.files.map(({ filename }) => filename));
    cursor = page.nextCursor;
  }
  return { names, pages };
}

test("rare files are found on all pages, each once and newest first, and a page reads a bounded part of the list", async () => {
  const project = await world.project();
  await someFiles(project, 9000, 1000);
  const invoices = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => `${n}000.pdf`);
  const { names, pages } = await readAll(project, { metadata: { kind: "invoice" } });
  expect(names).toEqual(invoices);
  expect(pages).toBeGreaterThan(1);
  expect(pages).toBeLessThan(10);
  expect((await readAll(project, { metadata: { kind: "invoice", n: "3000" } })).names).toEqual(["3000.pdf"]);
  expect((await readAll(project, { metadata: { kind: "invoice" }, status: "pending" })).names).toEqual([]);
  const both = await readAll(project, { tenant_id: "t", content_type: "image/*", size_from: "8990" });
  expect(both.names).toEqual([8999, 8997, 8995, 8993, 8991].map((n) => `${n}.pdf`));
});

test("a member of a filter may be named like a property that every object has, or have quotes and wildcards", async () => {
  const project = await world.project();
  const odd = JSON.parse(`{"__proto__":"a","constructor":"b","it's \\"50%\\"":"\\\\_%"}`) as Record<
    string,
    string
  >;
  await world.upload(project, { filename: "odd.txt", metadata: odd });
  await world.upload(project, { filename: "other.txt", metadata: { constructor: "x" } });
  for (const [name, value] of Object.entries(odd)) {
    const metadata: object = Object.fromEntries([[name, value]]);
    expect((await readAll(project, { metadata })).names).toEqual(["odd.txt"]);
  }
});

test("a cursor is of one set of filters, whose order does not matter", async () => {
  const project = await world.project();
  await someFiles(project, 3, 1);
  const page = (query: object) =>
    listFiles(world.deps, project, parse(listFilesQuery, { limit: 1, ...query }));
  const { nextCursor: cursor } = await page({ metadata: { kind: "invoice" } });
  expect((await page({ cursor, metadata: { kind: "invoice" } })).files[0]).toMatchObject({
    filename: "2.pdf",
  });
  const refused = { code: "invalid_request", message: "cursor is not valid" };
  for (const other of [{}, { metadata: { kind: "Invoice" } }, { size_to: "9" }]) {
    await expect(page({ cursor, ...other })).rejects.toMatchObject(refused);
  }
  const swapped = [
    { size_to: "9", metadata: { kind: "invoice" } },
    { metadata: { kind: "invoice" }, size_to: "9" },
  ] as const;
  const { nextCursor: next } = await page(swapped[0]);
  expect((await page({ ...swapped[1], cursor: next })).files).toMatchObject([{ filename: "2.pdf" }]);
});
