import { randomBytes } from "node:crypto";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as migrateWithDrizzle } from "drizzle-orm/postgres-js/migrator";
import postgres, { type Sql } from "postgres";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { migrate, requireCurrentSchema } from "#db/migrate.js";
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
const migrateLikeDrizzle = () => migrateWithDrizzle(drizzle(sql), { migrationsFolder: migrationsDir });

test("a database that drizzle's migrator has migrated needs no migration", async () => {
  await migrateLikeDrizzle();
  const byDrizzle = await migrations();
  expect(byDrizzle.length).toBeGreaterThan(0);
  await migrate(url, TIMEOUT_MS);
  expect(await migrations()).toEqual(byDrizzle);
});

test("several processes that migrate at the same time execute each migration once", async () => {
  await Promise.all(Array.from({ length: 4 }, () => migrate(url, TIMEOUT_MS)));
  const byUs = await migrations();
  expect(new Set(byUs.map((row) => row["hash"] as string)).size).toBe(byUs.length);
  await migrateLikeDrizzle();
  expect(await migrations()).toEqual(byUs);
});

test("a migration that fails is rolled back completely", async () => {
  // The last but not the first migration finds a table in its way.
  await sql`create table project_usage_daily (x int)`;
  await expect(migrate(url, TIMEOUT_MS)).rejects.toMatchObject({ code: "42P07" });
  const [left] = await sql`select to_regclass('projects') as projects, to_regnamespace('drizzle') as drizzle`;
  expect(left).toEqual({ projects: null, drizzle: null });
});

test("a check of the schema names the missing migrations and changes nothing", async () => {
  await expect(requireCurrentSchema(url, TIMEOUT_MS)).rejects.toThrow(
    /^The database's schema is older than this version and lacks 0000_first_tables, .*\. Run stowage migrate\.$/,
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
