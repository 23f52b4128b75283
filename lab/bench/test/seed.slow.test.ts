import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sql } from "postgres";
import { connect } from "#processes/connect.js";
import { migrateDatabase } from "#processes/migrate-database.js";
import { seedDatabase } from "#seed/seed-database.js";
import { aPostgres } from "./fixtures.js";

const until = new Date("2026-01-31T12:00:00Z");
const options = { projects: 20, tenants: 400, files: 8000, seed: 7, until, add: false };

let server: Awaited<ReturnType<typeof aPostgres>>;
/** Two databases of the same seed and one of another seed. */
let databases: Sql[];
beforeAll(async () => {
  server = await aPostgres();
  databases = await Promise.all(
    ["one", "twin", "other"].map(async (name) => {
      const admin = connect(server.url);
      await admin.unsafe(`create database ${name}`).finally(() => admin.end());
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      await migrateDatabase(url.href);
      const sql = connect(url.href);
      await seedDatabase(sql, { ...options, seed: name === "other" ? 8 : 7 });
      return sql;
    }),
  );
});
afterAll(async () => {
  await Promise.all(databases.map((sql) => sql.end()));
  await server.end();
});

test("creates the requested number of rows, half of them in the first project", async () => {
  const [sql] = databases;
  const [counts] = await sql!`
    select (select count(*)::int from projects) as projects, (select count(*)::int from tenants) as tenants,
           (select count(*)::int from files) as files, (select count(*)::int from files where project_id = 1) as "inFirst",
           (select count(*)::int from tenants where project_id = 1) as "tenantsInFirst"`;
  const { projects, tenants, files } = options;
  expect(counts).toEqual({ projects, tenants, files, inFirst: files / 2, tenantsInFirst: tenants / 2 });
});

test("sets exact counters, and creates every tenant before its files", async () => {
  const [sql] = databases;
  const wrong = await sql!`
    select t.tenant_id from tenants t left join files f on f.project_id = t.project_id and f.tenant = t.id
    group by t.project_id, t.id
    having t.used_bytes <> coalesce(sum(f.size) filter (where f.status = 'stored'), 0)
        or t.reserved_bytes <> coalesce(sum(f.reserved_bytes), 0)
        or t.file_count <> count(*) filter (where f.status = 'stored')
        or t.created_at > min(f.created_at)`;
  expect(wrong).toHaveLength(0);
  const [there] = await sql!`select max(created_at) as newest, max(stored_at) as stored from files`;
  expect(there).toEqual({ newest: until, stored: until });
});

test("has daily sums that match the counters of tenants and projects", async () => {
  const [sql] = databases;
  const wrong = await sql!`
    select t.id from tenants t left join usage_daily d on d.project_id = t.project_id and d.tenant = t.id
    group by t.project_id, t.id
    having t.used_bytes <> coalesce(sum(d.uploaded_bytes - d.deleted_bytes), 0)
        or t.file_count <> coalesce(sum(d.uploads - d.deleted_files), 0)`;
  expect(wrong).toHaveLength(0);
  const sums = (table: string) =>
    sql!.unsafe(`select project_id, sum(uploaded_bytes) as came, sum(deleted_bytes) as went, max(day) as last
                 from ${table} group by 1 order by 1`);
  expect([...(await sums("project_usage_daily"))]).toEqual([...(await sums("usage_daily"))]);
});

test("creates files of every status, name and type, in id order", async () => {
  const [sql] = databases;
  const statuses = await sql!<{ status: string }[]>`select distinct status from files`;
  expect(statuses.map(({ status }) => status).sort()).toEqual(["deleting", "expired", "pending", "stored"]);
  const [oddities] = await sql!`
    select count(*) filter (where path not like 'projects/______________________/tenants/______________________/______________________\\_%')::int as paths,
           count(distinct content_type)::int as types, count(distinct path)::int as distinct
    from files`;
  expect(oddities).toEqual({ paths: 0, types: 8, distinct: options.files });
  const [backwards] = await sql!`
    select count(*)::int as files from (select created_at < lag(created_at) over (order by id) as is_earlier from files) f where is_earlier`;
  expect(backwards).toEqual({ files: 0 });
});

test("gives the same rows for the same seed, and other rows for another seed", async () => {
  const fingerprints = await Promise.all(
    databases.map(async (sql) => {
      const [row] = await sql`
        select md5(string_agg(f::text, '' order by id)) as files,
               (select md5(string_agg(t::text, '' order by id)) from tenants t) as tenants from files f`;
      return row;
    }),
  );
  expect(fingerprints[1]).toEqual(fingerprints[0]);
  expect(fingerprints[2]!["files"]).not.toBe(fingerprints[0]!["files"]);
});

test("refuses a database that has projects, unless `add` is set", async () => {
  const sql = databases[2]!;
  await expect(seedDatabase(sql, options)).rejects.toThrow("This database has projects");
  await seedDatabase(sql, { ...options, add: true });
  const [counts] = await sql`select count(*)::int as files, count(distinct path)::int as paths from files`;
  expect(counts).toEqual({ files: 2 * options.files, paths: 2 * options.files });
  // New rows get new ids.
  const [next] = await sql`
    insert into tenants (project_id, tenant_id, created_at) values (1, 'next', now()) returning id::int`;
  expect(next).toEqual({ id: 2 * options.tenants + 1 });
});

test("refuses too small a size", async () => {
  await expect(seedDatabase(databases[0]!, { ...options, projects: 1 })).rejects.toThrow("at least 2");
});
