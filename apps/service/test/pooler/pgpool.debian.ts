import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { composeDatabaseCommands } from "#compose-cli.js";
import { readDatabaseConfig } from "#config.js";
import { migrate } from "#db/migrate.js";
import { createProject } from "#projects/create-project.js";
import { aPgpool, type Pgpool } from "../fixtures/a-pgpool.js";
import { aReplicatedDatabase, type ReplicatedDatabase } from "../fixtures/a-replicated-database.js";
import { aService } from "../fixtures/a-service.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";

const UPLOADS = 16;

let database: ReplicatedDatabase;
let pgpool: Pgpool;
beforeAll(async () => {
  database = await aReplicatedDatabase();
  await onNode(database.standby.url, async (sql) => {
    await sql`alter system set recovery_min_apply_delay = '2s'`;
    await sql`select pg_reload_conf()`;
  });
  pgpool = await aPgpool(database.primary.url, database.standby.url);
});
afterAll(async () => {
  await pgpool.close();
  await database.close();
});

async function onNode<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  return work(sql).finally(() => sql.end());
}

test("Pgpool-II with its defaults answers a plain read from the standby, which is behind", async () => {
  await onNode(pgpool.url, (sql) => sql`create table behind (number int)`);
  const countOf = async (url: string) =>
    (await onNode(url, (sql) => sql<{ count: number }[]>`select count(*)::int as count from behind`))[0]!
      .count;
  await expect.poll(() => countOf(database.standby.url).catch(() => null)).toBe(0);
  await onNode(pgpool.url, (sql) => sql`insert into behind values (1)`);
  expect(await countOf(pgpool.url)).toBe(0);
});

test.each(["on", "off"])(
  "files are found right after their upload behind Pgpool-II, whose standby is behind, with DATABASE_PREPARED=%s",
  async (prepared) => {
    await migrate(pgpool.url, 60_000);
    const settings = { DATABASE_URL: pgpool.url, DATABASE_PREPARED: prepared, DATABASE_TIMEOUT_MS: "20000" };
    const commands = composeDatabaseCommands(readDatabaseConfig(settings));
    const { apiKey: key } = await createProject(commands.deps, { name: "pgpool" }).finally(commands.close);
    const service = await aService(settings);
    const upload = async () => {
      const requested = await anUpload(service.url, key, { tenant_id: "t", filename: "a.txt", size: 5 });
      await putBytes(requested, Buffer.from("hello"));
      const { file_path } = requested;
      const completed = await call(`${service.url}/api/storage/complete/`, { key, body: { file_path } });
      const found = await call(
        `${service.url}/api/storage/file/?file_path=${encodeURIComponent(file_path)}`,
        {
          key,
        },
      );
      const { status } = await call(`${service.url}/api/storage/download/`, { key, body: { file_path } });
      return [completed.status, found.status, status];
    };
    const statuses = await Promise.all(Array.from({ length: UPLOADS }, upload));
    expect(statuses).toEqual(Array.from({ length: UPLOADS }, () => [200, 200, 200]));
    const list = await call<{ files: unknown[] }>(`${service.url}/api/storage/files/`, { key });
    expect(list.body.files).toHaveLength(UPLOADS);
    await service.close();
  },
);
