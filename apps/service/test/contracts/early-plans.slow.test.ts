import { afterAll, beforeAll, expect, test } from "vitest";
import { findFile } from "#files/find-file.js";
import { aPlanReader } from "../fixtures/plan-cost.js";

const FILES = 30_000;
const PROJECT = { id: 1, ref: "p" };
/** Down two indexes, and what lies in between. */
const FLAT = 30;

let reader: Awaited<ReturnType<typeof aPlanReader>>;

/** Of a thousand tenants in turns, the first of whom is there alone in the beginning. */
const files = (from: number, to: number) => `
  insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at)
    select 1, 1 + i % 1000, 'path/' || i, 'a.txt', 'text/plain', 1, 'stored', now(), now() from generate_series(${from}, ${to}) i;`;
const tenants = (from: number, to: number) => `
  insert into tenants (project_id, tenant_id, ref, created_at)
    select 1, 'tenant ' || i, 'r' || i, now() from generate_series(${from}, ${to}) i;`;

beforeAll(async () => {
  reader = await aPlanReader();
  await reader.sql.unsafe(`
    alter table files set (autovacuum_enabled = false);
    alter table tenants set (autovacuum_enabled = false);
    set plan_cache_mode = force_generic_plan;
    insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
      values ('p', 'p', 'h', '', '', 1, now(), now());
    ${tenants(1, 1)} ${files(1000, 1000)}`);
});
afterAll(() => reader.close());

test("a file is found by some pages alone, by a plan that was made when it was the only one", async () => {
  const { result, statements } = await reader.record(() =>
    findFile({ db: reader.db }, PROJECT, { filePath: "path/1000" }),
  );
  expect(result).toMatchObject({ tenantId: "tenant 1" });
  await reader.sql.unsafe(`prepare early as ${statements[0]!.text}`);
  const execute = "execute early (1, 'path/1000', null)";
  expect(await reader.sql.unsafe(execute)).toHaveLength(1);

  await reader.sql.unsafe(tenants(2, 1000) + files(1001, 1000 + FILES));
  expect(await reader.sql.unsafe(execute)).toHaveLength(1);
  const { pages } = await reader.explain({ text: execute, parameters: [] });
  expect(pages).toBeLessThan(FLAT);
});
