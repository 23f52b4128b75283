import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as migrateWithDrizzle } from "drizzle-orm/postgres-js/migrator";
import postgres, { type Sql } from "postgres";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { migrate, requireCurrentSchema } from "#db/migrate.js";
import { readFunctions } from "#db/sql-functions.js";
import { migrationsDir } from "#paths.js";

const TIMEOUT_MS = 60_000;

let admin: Sql;
let sql: Sql;
let url: string;
beforeEach(async () => {
  admin = postgres(inject("servers").DATABASE_URL, { max: 1, onnotice: () => undefined });
  const name = `migrate_${randomBytes(6).toString("hex")}`;
  await admin.unsafe(`create database ${name}`);
  url = Object.assign(new URL(inject("servers").DATABASE_URL), { pathname: `/${name}` }).href;
  sql = postgres(url, { max: 1, onnotice: () => undefined });
});
afterEach(async () => {
  const name = new URL(url).pathname.slice(1);
  await sql.end();
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.end();
});

const migrations = () => sql`select hash, created_at from drizzle.__drizzle_migrations order by id`;
const functionNames = async () =>
  (
    await sql<{ name: string }[]>`
      select proname as name from pg_proc where pronamespace = 'public'::regnamespace order by proname collate "C"`
  ).map(({ name }) => name);
const migrateLikeDrizzle = () => migrateWithDrizzle(drizzle(sql), { migrationsFolder: migrationsDir });

test("a database that drizzle's migrator has migrated gets the functions, and no migration", async () => {
  await migrateLikeDrizzle();
  const byDrizzle = await migrations();
  expect(byDrizzle.length).toBeGreaterThan(0);
  await migrate(url, TIMEOUT_MS);
  expect(await migrations()).toEqual(byDrizzle);
  expect(await functionNames()).toContain("mark_stored");
});

test("several processes that migrate at the same time execute each migration once", async () => {
  await Promise.all(Array.from({ length: 4 }, () => migrate(url, TIMEOUT_MS)));
  const byUs = await migrations();
  expect(new Set(byUs.map((row) => row["hash"] as string)).size).toBe(byUs.length);
  await migrateLikeDrizzle();
  expect(await migrations()).toEqual(byUs);
});

test("a migrated database has the functions of the files, and no others", async () => {
  await migrate(url, TIMEOUT_MS);
  const files = readFunctions();
  expect(await functionNames()).toEqual(files.map(({ name }) => name));
  const definitions = () =>
    sql`select pg_get_functiondef(oid) as text from pg_proc
        where pronamespace = 'public'::regnamespace order by proname`;
  const migrated = await definitions();
  for (const { statement } of files) await sql.unsafe(statement);
  expect(await definitions()).toEqual(migrated);
});

test("a function with another text is replaced, and one of a newer version stays", async () => {
  await migrate(url, TIMEOUT_MS);
  const [{ mark }] = (await sql`select obj_description('write_outbox'::regproc) as mark`) as [
    { mark: string },
  ];
  const broken = `create or replace function write_outbox(p bigint, kind text, at timestamptz, changed json, by_tenant json, only_log boolean default false)
    returns void language plpgsql as $$ begin raise 'broken'; end $$`;
  const isBroken = async () =>
    (await sql`select prosrc like '%broken%' as is from pg_proc where proname = 'write_outbox'`)[0]!["is"];
  const markAs = (text: string) => sql.unsafe(`${broken}; comment on function write_outbox is '${text}'`);

  await markAs(mark.replace(/[0-9a-f]{64}$/, "0".repeat(64)));
  await expect(requireCurrentSchema(url, TIMEOUT_MS)).rejects.toThrow(
    /lacks write_outbox\. Run stowage migrate\.$/,
  );
  await migrate(url, TIMEOUT_MS);
  expect(await isBroken()).toBe(false);
  await expect(requireCurrentSchema(url, TIMEOUT_MS)).resolves.toBeUndefined();

  await markAs(`stowage 99.0.0 sha256:${"0".repeat(64)}`);
  await migrate(url, TIMEOUT_MS);
  expect(await isBroken()).toBe(true);
  await expect(requireCurrentSchema(url, TIMEOUT_MS)).resolves.toBeUndefined();
});

test("a function with arguments of other types takes the place of the older one", async () => {
  await migrate(url, TIMEOUT_MS);
  await sql`drop function write_outbox`;
  await sql`create function write_outbox(p bigint) returns void language plpgsql as $$ begin raise 'older'; end $$`;
  await migrate(url, TIMEOUT_MS);
  expect(await functionNames()).toEqual(readFunctions().map(({ name }) => name));
  const [{ arguments: count }] = (await sql`
    select pronargs as arguments from pg_proc where proname = 'write_outbox'`) as [{ arguments: number }];
  expect(count).toBe(6);
});

/** One file waits for a scan, one for its move, and one for nothing. */
const WAITING_FILES = `
insert into tenants (project_id, tenant_id, ref, created_at) select id, 't', 'r', now() from projects;
insert into files (project_id, tenant, path, filename, content_type, size, etag, status, url_expires_at, created_at, visibility,
  scan_status, scan_due_at, scan_failures, declared_size, part_size, upload_id, part_urls_expire_at, image_etag, image_width, image_height,
  image_placeholder)
select t.project_id, t.id, path, 'a', 'text/plain', 1, 'e', 'stored', now(), now(), visibility::file_visibility, scan::scan_status, due, failures,
  1, case when path = 'quiet' then 1 end, 'u', '2026-01-01T00:00:00Z'::timestamptz, case when path = 'quiet' then 'e' end, 2, 3, 'p'
from tenants t, (values
  ('quiet', 'private', 'none', null, 0),
  ('scanned', 'private', 'pending', now(), 2),
  ('to publish', 'public', 'none', null, 0)) as f (path, visibility, scan, due, failures)`;

/** Everything of a schema but the order of columns. */
const catalog = () => sql`
  select table_name || '.' || column_name as name, data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as definition
  from information_schema.columns where table_schema = 'public'
  union all select indexname, indexdef from pg_indexes where schemaname = 'public'
  union all select conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select typname || ' ' || enumsortorder, enumlabel from pg_enum join pg_type t on t.oid = enumtypid
  order by name`;

test("a database at migration 0041 is adopted, has the schema of a new one, and keeps its rows", async () => {
  await migrate(url, TIMEOUT_MS);
  const expected = await catalog();
  await makeBefore041(0);
  await sql`insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
    values ('r', 'n', 'h', 's', 'l', 1, now(), now())`;
  await expect(requireCurrentSchema(url, TIMEOUT_MS)).rejects.toThrow(
    /lacks from-0041\b.*\. Run stowage migrate\.$/,
  );
  await sql.unsafe(WAITING_FILES);
  await Promise.all([migrate(url, TIMEOUT_MS), migrate(url, TIMEOUT_MS)]);
  expect(await catalog()).toEqual(expected);
  expect(
    await sql`select f.path, t.kind, t.failures from file_tasks t join files f on f.id = t.file_id order by path`,
  ).toEqual([
    { path: "scanned", kind: "scan", failures: 2 },
    { path: "to publish", kind: "move", failures: 0 },
  ]);
  expect(await sql`select multipart, image from files order by path limit 2`).toEqual([
    {
      multipart: { uploadId: "u", urlsExpireAt: Date.parse("2026-01-01T00:00:00Z") },
      image: { width: 2, height: 3, placeholder: "p", etag: "e" },
    },
    { multipart: null, image: null },
  ]);
  expect(await sql`select name, next_purge_at from projects`).toEqual([{ name: "n", next_purge_at: null }]);
  expect(await functionNames()).toEqual(readFunctions().map(({ name }) => name));
  await expect(requireCurrentSchema(url, TIMEOUT_MS)).resolves.toBeUndefined();
});

test("a database before migration 0041 is refused, and nothing is changed", async () => {
  await makeBefore041(-1);
  const before = await migrations();
  for (const call of [migrate, requireCurrentSchema])
    await expect(call(url, TIMEOUT_MS)).rejects.toThrow(
      /^The database's schema is older than migration 0041, .* first, as docs\/upgrading\.md says\.$/,
    );
  expect(await migrations()).toEqual(before);
});

/** Turns a new database into one of the version before the baseline: the old names, and a journal that ends `offset` ms after 0041. */
async function makeBefore041(offset: number) {
  await migrate(url, TIMEOUT_MS);
  const change = readFileSync(join(migrationsDir, "from-0041.sql"), "utf8");
  await sql.unsafe("drop function queue_moves, queue_scans, is_misplaced, file_place; drop table file_tasks");
  for (const [, index] of change.matchAll(/^create index (\w+)/gm))
    await sql.unsafe(`drop index if exists ${index}`);
  for (const [, name, column] of change.matchAll(/^alter table (\w+) add column (\w+)/gm))
    await sql.unsafe(`alter table ${name} drop column ${column}`);
  for (const [, type] of change.matchAll(/^create type (\w+)/gm)) await sql.unsafe(`drop type ${type}`);
  for (const [, name, from, to] of change.matchAll(/^alter table (\w+) rename column (\w+) to (\w+);$/gm))
    await sql.unsafe(`alter table ${name} rename column ${to} to ${from}`);
  for (const [, from, to] of change.matchAll(/^alter index (\w+) rename to (\w+);$/gm))
    await sql.unsafe(`alter index ${to} rename to ${from}`);
  for (const name of readdirSync(migrationsDir).filter((name) => /^(?!0000)\d{4}_\w+\.sql$/.test(name))) {
    const later = readFileSync(join(migrationsDir, name), "utf8");
    for (const [, type, label] of later.matchAll(/^ALTER TYPE "(\w+)" ADD VALUE '(\w+)'/gm))
      await sql`delete from pg_enum where enumtypid = ${type!}::regtype and enumlabel = ${label!}`;
    for (const [, table] of later.matchAll(/^CREATE TABLE "(\w+)"/gm))
      await sql.unsafe(`drop table ${table}`);
    for (const [, index] of later.matchAll(/^CREATE (?:UNIQUE )?INDEX "(\w+)"/gm))
      await sql.unsafe(`drop index if exists ${index}`);
    for (const [, table, column] of later.matchAll(/^ALTER TABLE "(\w+)" ADD COLUMN "(\w+)"/gm))
      await sql.unsafe(`alter table ${table} drop column ${column}`);
  }
  await sql.unsafe(TASKS_IN_FILES);
  await sql`create function emit_file_events(p bigint, kind text, at timestamptz, ids bigint[]) returns void
    language plpgsql as ${sql.unsafe("'begin end'")}`;
  await sql`delete from drizzle.__drizzle_migrations`;
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('0041', ${1_795_668_476_154 + offset})`;
}

/** How the version before the baseline had waiting scans and moves. */
const TASKS_IN_FILES = `
alter table files
  add column scan_due_at timestamptz,
  add column scan_attempts integer not null default 0,
  add column scan_failures integer not null default 0,
  add column move_due_at timestamptz not null default 'epoch',
  add column move_claim integer not null default 0,
  add column move_failures integer not null default 0,
  add column upload_id text, add column fingerprint text, add column parts_stored integer, add column part_bytes_stored bigint,
  add column part_urls_expire_at timestamptz, add column completing_until timestamptz,
  add column image_width integer, add column image_height integer, add column image_placeholder text, add column image_etag text;
create index files_to_look_at on files (next_look_at) where next_look_at is not null;
create index files_parts_to_look_at on files (next_look_at) where next_look_at is not null and part_size is not null;
create index files_to_scan on files (project_id, scan_due_at) where scan_due_at is not null;
create index files_by_scan_time on files (scan_due_at) where scan_due_at is not null;
create index files_with_failed_scans on files (scan_failures) where scan_due_at is not null and scan_failures > 0;
create index files_to_move on files (project_id, move_due_at)
  where status not in ('pending', 'expired', 'deleting') and (has_other_copy or
    (place = 'public') <> (visibility = 'public' and status = 'stored' and scan_status in ('none', 'clean')));`;

test("a migration that fails is rolled back completely", async () => {
  // A later statement finds a table in its way.
  await sql`create table project_usage_daily (x int)`;
  await expect(migrate(url, TIMEOUT_MS)).rejects.toMatchObject({ code: "42P07" });
  const [left] = await sql`select to_regclass('projects') as projects, to_regnamespace('drizzle') as drizzle`;
  expect(left).toEqual({ projects: null, drizzle: null });
});

test("a check of the schema names the missing migrations and changes nothing", async () => {
  await expect(requireCurrentSchema(url, TIMEOUT_MS)).rejects.toThrow(
    /^The database's schema is older than this version and lacks 0000_baseline\b.*\. Run stowage migrate\.$/,
  );
  expect([...(await sql`select to_regnamespace('drizzle') as drizzle`)]).toEqual([{ drizzle: null }]);
  await migrate(url, TIMEOUT_MS);
  const last = await sql`delete from drizzle.__drizzle_migrations where created_at =
    (select max(created_at) from drizzle.__drizzle_migrations) returning hash, created_at`;
  await expect(requireCurrentSchema(url, TIMEOUT_MS)).rejects.toThrow(
    /lacks \d{4}_\w+\. Run stowage migrate\.$/,
  );
  await sql`insert into drizzle.__drizzle_migrations ${sql(last[0]!)}`;
  await expect(requireCurrentSchema(url, TIMEOUT_MS)).resolves.toBeUndefined();
});

test("a check of the schema accepts a newer one, so that an old replica can restart during an update", async () => {
  await migrate(url, TIMEOUT_MS);
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', ${Date.now() * 2})`;
  await expect(requireCurrentSchema(url, TIMEOUT_MS)).resolves.toBeUndefined();
});

test("a role that may not change the schema can migrate when there is nothing to change", async () => {
  const role = `reader_${randomBytes(6).toString("hex")}`;
  await migrate(url, TIMEOUT_MS);
  await sql.unsafe(`create role ${role} login password 'reader';
    grant usage on schema drizzle to ${role}; grant select on drizzle.__drizzle_migrations to ${role}`);
  try {
    const asReader = Object.assign(new URL(url), { username: role, password: "reader" }).href;
    await expect(migrate(asReader, TIMEOUT_MS)).resolves.toBeUndefined();
  } finally {
    await sql.unsafe(`drop owned by ${role}; drop role ${role}`);
  }
});
