import { afterAll, beforeAll, expect, test } from "vitest";
import { composeDatabaseCommands } from "#compose-cli.js";
import { readDatabaseConfig } from "#config.js";
import { openDatabase } from "#db/client.js";
import { migrate } from "#db/migrate.js";
import { lanes } from "#db/traffic/lanes.js";
import { createProject } from "#projects/create-project.js";
import { aReplicatedDatabase, type ReplicatedDatabase } from "../fixtures/a-replicated-database.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { call } from "../fixtures/call.js";

const DATABASE_TIMEOUT_MS = 8000;
/** More than the service has connections. */
const WAITING_UPLOADS = 40;

let database: ReplicatedDatabase;
let service: RunningService;
let key: string;

beforeAll(async () => {
  database = await aReplicatedDatabase();
  const { url } = database.primary;
  await migrate(url, 60_000);
  const commands = composeDatabaseCommands(
    readDatabaseConfig({ DATABASE_URL: url, DATABASE_TIMEOUT_MS: "60000" }),
  );
  ({ apiKey: key } = await createProject(commands.deps, { name: "lost standby" }).finally(commands.close));
  service = await aService({ DATABASE_URL: url, DATABASE_TIMEOUT_MS: String(DATABASE_TIMEOUT_MS) });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

test("while commits wait for a lost standby, reads continue, uploads get 503, and /readyz gives the reason", async () => {
  const { file_path } = await aStoredFile(service.url, key);
  await database.standby.stop();
  try {
    const uploads = Array.from({ length: WAITING_UPLOADS }, (_, number) =>
      call(`${service.url}/api/storage/upload/`, { key, body: { tenant_id: `t${number}`, filename: "a" } }),
    );
    const reads = await Promise.all([
      call(`${service.url}/api/storage/files/`, { key }),
      call(`${service.url}/api/storage/file/?file_path=${encodeURIComponent(file_path)}`, { key }),
      call(`${service.url}/api/storage/download/`, { key, body: { file_path } }),
      call(`${service.url}/api/storage/usage/`, { key }),
    ]);
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await call(`${service.url}/healthz`)).status).toBe(200);
    expect(await call(`${service.url}/readyz`)).toMatchObject({
      status: 503,
      body: { detail: "Not ready: the database waits for its synchronous standby" },
    });
    const refused = await Promise.all(uploads);
    // A commit that the standby does not have would be lost in a failover, so none of them is acknowledged.
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(refused.every(({ headers }) => headers.has("retry-after"))).toBe(true);
  } finally {
    await database.standby.start();
  }
  await expect.poll(() => call(`${service.url}/readyz`).then(({ status }) => status)).toBe(200);
  await aStoredFile(service.url, key, { tenant_id: "after" });
});

test("a process that opens its connections learns how many of them lead to a standby", async () => {
  const counts = [database.primary, database.standby].map(async ({ url }) => {
    const db = openDatabase({ url, poolSize: 1, timeoutMs: DATABASE_TIMEOUT_MS });
    return db.warmUp().finally(() => db.close());
  });
  // With a pool of one connection, each lane has one.
  expect(await Promise.all(counts)).toEqual([0, lanes.length]);
});

test("/readyz says that the database is read-only, or does not answer", async () => {
  const { url } = database.standby;
  const onStandby = await aService({ DATABASE_URL: url, DATABASE_TIMEOUT_MS: String(DATABASE_TIMEOUT_MS) });
  expect((await call(`${onStandby.url}/readyz`)).body).toEqual({
    detail: "Not ready: the database is read-only",
  });
  await onStandby.close();
});
