import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDatabase } from "../fixtures/a-database.js";
import { findWrongCounters } from "./find-wrong-counters.js";

let database: Awaited<ReturnType<typeof aDatabase>>;
let sql: postgres.Sql;

beforeAll(async () => {
  database = await aDatabase();
  sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  await sql`
    insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
    values ('p', 'p', 'hash', 'start', 'last', 1000, now(), now())`;
  await sql`
    insert into tenants (project_id, tenant_id, ref, used_bytes, file_count, created_at)
    select id, 't', 't', 5, 1, now() from projects`;
  await sql`
    insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at)
    select project_id, id, 'a', 'a', 'text/plain', 5, 'stored', now(), now() from tenants`;
  await sql`
    insert into usage_daily (project_id, tenant, day, uploads, uploaded_bytes, deleted_files, deleted_bytes)
    select project_id, id, current_date, 2, 7, 1, 2 from tenants`;
  await sql`
    insert into project_usage_daily (project_id, day, slot, uploads, uploaded_bytes, deleted_files, deleted_bytes)
    select project_id, current_date, 0, 2, 7, 1, 2 from tenants`;
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

test("accepts counters that are the sums of their rows", async () => {
  expect(await findWrongCounters(sql)).toEqual([]);
});

test.each([
  ["used bytes", "tenants", "used_bytes", "tenant:"],
  ["reserved bytes", "tenants", "reserved_bytes", "tenant:"],
  ["the number of files", "tenants", "file_count", "tenant:"],
  ["the bytes of a tenant's day", "usage_daily", "uploaded_bytes", "tenant:"],
  ["the files of a tenant's day", "usage_daily", "deleted_files", "tenant:"],
  ["the bytes of a project's day", "project_usage_daily", "deleted_bytes", "days of a project:"],
  ["the files of a project's day", "project_usage_daily", "uploads", "days of a project:"],
])("finds an error of one in %s", async (_name, table, column, found) => {
  const change = (by: number) => sql`update ${sql(table)} set ${sql(column)} = ${sql(column)} + ${by}`;
  await change(1);
  expect(await findWrongCounters(sql)).toEqual([expect.stringContaining(found)]);
  await change(-1);
});
