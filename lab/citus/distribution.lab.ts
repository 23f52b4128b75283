import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { distribute, distributeNewTables } from "@stowage/service/src/db/citus/distribute.js";
import { readDistribution } from "@stowage/service/src/db/citus/read-distribution.js";
import { openDatabase } from "@stowage/service/src/db/client.js";
import { migrationsDir } from "@stowage/service/src/paths.js";
import { aDatabase } from "@stowage/service/test/fixtures/a-database.js";
import { anEmptyDistributedDatabase } from "@stowage/service/test/fixtures/a-citus-cluster.js";

test("the tables that grow with use are distributed, and a second run changes nothing", async () => {
  const database = await aDatabase();
  const db = openDatabase({ url: database.url, poolSize: 1, timeoutMs: 10_000 });
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  try {
    const before = await readDistribution({ db });
    expect(before.citus).toMatchObject({ missing: [] });
    const tables = () =>
      sql`select logicalrelid::text, partmethod, colocationid from pg_dist_partition order by 1`;
    const placed = [...(await tables())];
    await sql.begin((tx) => distribute(tx));
    expect([...(await tables())]).toEqual(placed);
  } finally {
    await sql.end();
    await db.close();
    await database.drop();
  }
});

test("a table that is not distributed is reported, and distributed by the next run", async () => {
  const database = await aDatabase();
  const db = openDatabase({ url: database.url, poolSize: 1, timeoutMs: 10_000 });
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  try {
    await sql`select undistribute_table('tombstones', cascade_via_foreign_keys => false)`.catch(async () => {
      await sql`alter table tombstones drop constraint tombstones_project_id_projects_id_fk`;
      await sql`select undistribute_table('tombstones')`;
    });
    expect((await readDistribution({ db })).citus?.missing).toEqual(["tombstones"]);
    await sql.begin((tx) => distribute(tx));
    expect((await readDistribution({ db })).citus?.missing).toEqual([]);
  } finally {
    await sql.end();
    await db.close();
    await database.drop();
  }
});

test("every migration after the baseline runs on distributed tables with rows", async () => {
  const database = await anEmptyDistributedDatabase(inject("citus")!);
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  const [baseline, ...later] = readdirSync(migrationsDir)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .toSorted();
  const run = async (tx: postgres.TransactionSql, names: string[]) => {
    for (const name of names) {
      for (const statement of readFileSync(join(migrationsDir, name), "utf8").split(
        "--> statement-breakpoint",
      )) {
        await tx.unsafe(statement);
        if (/\bcreate table\b/i.test(statement)) await distributeNewTables(tx);
      }
    }
  };
  try {
    await sql.begin(async (tx) => {
      await run(tx, [baseline!]);
      await distribute(tx);
    });
    await sql`
      insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
      values ('r', 'n', 'h', 's', 'l', 1, now(), now())`;
    await sql`insert into tenants (project_id, tenant_id, created_at) values (1, 't', now())`;
    await sql.begin(async (tx) => {
      await run(tx, later);
      await distribute(tx);
    });
    const [row] = await sql`select count(*)::int as tenants from tenants where project_id = 1`;
    expect(row).toEqual({ tenants: 1 });
  } finally {
    await sql.end();
    await database.drop();
  }
});

test("uploads do not grow the memory of a worker's connection", async () => {
  const database = await aDatabase();
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  const at = new Date().toISOString();
  const admit = (number: number) =>
    sql`select * from admit_uploads(1::bigint, null, ${JSON.stringify([
      {
        number: 0,
        tenant_id: "t",
        new_ref: "r",
        object_name: `${number}`,
        filename: "a.txt",
        content_type: "text/plain",
        metadata: {},
        at,
        url_expires_at: at,
        next_check_at: at,
      },
    ])}::text::json, null)`;
  const admitSome = async (from: number, count: number) => {
    for (let i = from; i < from + count; i++)
      expect((await admit(i))[0]).toMatchObject({ outcome: "admitted" });
  };
  // The function reads the memory of the connection over which the coordinator calls the node of the project.
  const usedBytes = async () => {
    const [row] = await sql<{ bytes: string }[]>`
      select (select sum(used_bytes) from pg_get_backend_memory_contexts()) as bytes from tenants where project_id = 1 limit 1`;
    return Number(row!.bytes);
  };
  try {
    await sql`
      insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
      values ('r', 'n', 'h', 's', 'l', 1, now(), now())`;
    await admitSome(0, 20);
    const before = await usedBytes();
    await admitSome(20, 100);
    expect((await usedBytes()) - before).toBeLessThan(1_000_000);
  } finally {
    await sql.end();
    await database.drop();
  }
});
