import { afterAll, beforeAll, expect, test } from "vitest";
import { findFile, findFiles } from "#files/record/find-file.js";
import { findRecordsByPath } from "#storage-events/find-records-by-path.js";
import { aPlanReader } from "../fixtures/a-plan-reader.js";

const FILES = 30_000;
const PROJECT = { id: 1, ref: "p1" };
/** An upper limit for look-ups in about three indexes. */
const MAX_PAGES = 30;

let reader: Awaited<ReturnType<typeof aPlanReader>>;

/** Inserts files of a thousand tenants in turn. The first file is of the one tenant that exists from the start. */
const files = (from: number, to: number) => `
  insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at)
    select 1, 1 + i % 1000, 'path/' || i, 'a.txt', 'text/plain', 1, 'stored', now(), now() from generate_series(${from}, ${to}) i;`;
const tenants = (from: number, to: number) => `
  insert into tenants (project_id, tenant_id, ref, created_at)
    select 1, 'tenant ' || i, 'r' || i, now() from generate_series(${from}, ${to}) i;`;
const projects = (from: number, to: number) => `
  insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
    select 'p' || i, 'p', 'h' || i, '', '', 1, now(), now() from generate_series(${from}, ${to}) i;`;
const tombstones = (from: number, to: number) => `
  insert into tombstones (project_id, path, until, next_check_at)
    select 1, 'path/gone/' || i, now(), now() from generate_series(${from}, ${to}) i;`;

const findAtPaths = {
  call: () => findRecordsByPath({ db: reader.db }, [{ ref: PROJECT.ref, path: "path/1000" }]),
  result: [expect.objectContaining({ projectId: 1, path: "path/1000" })] as unknown,
};
/** The prepared statements: a call that finds the first file, and which of the call's statements it is. */
const statements = {
  find: {
    call: () => findFile({ db: reader.db, store: { published: null } }, PROJECT, { filePath: "path/1000" }),
    result: expect.objectContaining({ tenantId: "tenant 1" }) as unknown,
    index: 0,
    execute: "execute find (1, 'path/1000', null)",
  },
  find_many: {
    call: () => findFiles({ db: reader.db }, PROJECT, { filePaths: ["path/1000", "path/none"] }),
    result: new Map([["path/1000", expect.objectContaining({ tenantId: "tenant 1" })]]) as unknown,
    index: 0,
    execute: `execute find_many (1, '["path/1000", "path/none"]', null)`,
  },
  find_projects: { ...findAtPaths, index: 0, execute: `execute find_projects ('["p1"]')` },
  find_at_paths: { ...findAtPaths, index: 1, execute: `execute find_at_paths (1, '["path/1000"]')` },
};

beforeAll(async () => {
  reader = await aPlanReader();
  await reader.sql.unsafe(`
    alter table projects set (autovacuum_enabled = false);
    alter table tenants set (autovacuum_enabled = false);
    alter table files set (autovacuum_enabled = false);
    alter table tombstones set (autovacuum_enabled = false);
    set plan_cache_mode = force_generic_plan;
    ${projects(1, 1)} ${tenants(1, 1)} ${files(1000, 1000)} ${tombstones(1, 1)}`);
  for (const [name, { call, result, index, execute }] of Object.entries(statements)) {
    const made = await reader.record<unknown>(call);
    expect(made.result).toEqual(result);
    await reader.sql.unsafe(`prepare ${name} as ${made.statements[index]!.text}`);
    expect(await reader.sql.unsafe(execute)).toHaveLength(1);
  }
  await reader.sql.unsafe(
    projects(2, 1000) + tenants(2, 1000) + files(1001, 1000 + FILES) + tombstones(2, FILES),
  );
});
afterAll(() => reader.close());

test.each([
  ["finds a file", statements.find],
  ["finds many files", statements.find_many],
  ["finds the projects of a storage event", statements.find_projects],
  ["finds the files of a storage event", statements.find_at_paths],
])(
  "%s with few pages, by a plan that PostgreSQL made when the tables had one row",
  async (_what, { execute }) => {
    expect(await reader.sql.unsafe(execute)).toHaveLength(1);
    const { pages } = await reader.explain({ text: execute, parameters: [] });
    expect(pages).toBeLessThan(MAX_PAGES);
  },
);
