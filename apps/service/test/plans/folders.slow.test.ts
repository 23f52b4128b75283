import { listFilesQuery, listFoldersQuery, parse } from "@stowage/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listFiles } from "#files/list/list-files.js";
import { listFolders } from "#files/list/list-folders.js";
import { countFiles, findNextFiles } from "#files/organise/files-of-folder.js";
import { aPlanReader } from "../fixtures/a-plan-reader.js";

/** In each of the folders `a/0` and so on. The tenant has as many files in the root. */
const FILES_PER_FOLDER = 20;
const FOLDERS = 5000;
const PAGE = 100;
const PROJECT = { id: 1, ref: "p" };

let reader: Awaited<ReturnType<typeof aPlanReader>>;
let deps: { db: typeof reader.db; store: { published: null } };

beforeAll(async () => {
  reader = await aPlanReader();
  deps = { db: reader.db, store: { published: null } };
  await reader.sql.unsafe(`
    insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
      values ('p', 'p', 'h', '', '', 1, now(), now());
    insert into tenants (project_id, tenant_id, ref, created_at) select 1, 'tenant ' || i, 'r' || i, now() from generate_series(1, 5000) i;
    insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at, folder)
      select 1, 1, 'path/' || i, i || '.txt', 'text/plain', 1, 'stored', now(), '2026-01-01'::timestamptz + i * interval '1 second',
             case when i <= ${FOLDERS * FILES_PER_FOLDER} then 'a/' || i % ${FOLDERS} else '' end
      from generate_series(1, ${2 * FOLDERS * FILES_PER_FOLDER}) i;
    insert into folders (project_id, tenant, parent, name, file_count, used_bytes)
      select 1, 1, chain.parent, chain.name, sum(f.n), sum(f.n)
      from (select folder, count(*) as n from files group by folder) f cross join lateral folder_chain(f.folder) chain
      group by chain.parent, chain.name;`);
});
afterAll(() => reader.close());

/** Names of the folders in the order of bytes. */
const names = Array.from({ length: FOLDERS }, (_, n) => `a/${n}`).toSorted();

async function foldersAfter(cursor?: string) {
  const query = parse(listFoldersQuery, { tenant_id: "tenant 1", parent: "a", limit: PAGE, cursor });
  return reader.costOf(() => listFolders(deps, PROJECT, query));
}

for (const statistics of ["without statistics", "with statistics"]) {
  test(`${statistics}, each page of a list of ${FOLDERS} folders reads a page and no more than two`, async () => {
    if (statistics === "with statistics") await reader.sql.unsafe("analyze");
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { result, read } = await foldersAfter(cursor);
      // A page, the row after it, and the tenant. If two pages remain, PostgreSQL may sort them.
      expect(read).toBeLessThanOrEqual(2 * PAGE + 2);
      found.push(...result.folders.map(({ folder }) => folder));
      cursor = result.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual(names);
  });

  test(`${statistics}, the files of a folder are read without those of other folders`, async () => {
    for (const folder of ["a/0", "a/2500", "none"]) {
      const query = parse(listFilesQuery, { tenant_id: "tenant 1", folder, limit: 100 });
      const { result, read } = await reader.costOf(() => listFiles(deps, PROJECT, query));
      expect(result.files).toHaveLength(folder === "none" ? 0 : FILES_PER_FOLDER);
      expect(read).toBeLessThan(10 * FILES_PER_FOLDER);
    }
  });

  test(`${statistics}, a job reads the files of its folder and no others`, async () => {
    const tenant = (await reader.sql.unsafe(`select id from tenants where tenant_id = 'tenant 1'`))[0]![
      "id"
    ] as number;
    for (const to of ["b", null]) {
      const folder = { projectId: PROJECT.id, tenant, from: "a/2500", to };
      const counted = await reader.costOf(() => countFiles(reader.db, folder));
      expect(counted.result).toMatchObject({ total: FILES_PER_FOLDER, depth: 2 });
      const page = { after: 0, lastId: counted.result.lastId, limit: 10_000 };
      const next = await reader.costOf(() => findNextFiles(reader.db, folder, page));
      expect(next.result).toHaveLength(FILES_PER_FOLDER);
      for (const { read } of [counted, next]) expect(read).toBeLessThan(10 * FILES_PER_FOLDER);
    }
  });
}
