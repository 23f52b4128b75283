import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { composeDatabaseCommands } from "#compose-cli.js";
import { readDatabaseConfig } from "#config.js";
import { deleteProject } from "#purge/delete-project.js";
import { createProject } from "#projects/create-project.js";
import { findProjectByRef } from "#projects/find-project.js";
import { aDatabase } from "../fixtures/a-database.js";
import { aProcess } from "../fixtures/a-process.js";
import { aStallingProxy } from "../fixtures/a-stalling-proxy.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { call } from "../fixtures/call.js";
import { listStoredObjects } from "../fixtures/direct-access.js";

const STORED = 40;
/** More files than the service deletes in one batch, so some are not yet marked when the process dies. */
const REQUESTED = 1000;
const DELETES_BEFORE_DEATH = 10;
/** For how long the lease of a killed process may keep other processes from its work. */
const LEASE_SECONDS = 30;

let database: Awaited<ReturnType<typeof aDatabase>>;
let sql: postgres.Sql;
beforeAll(async () => {
  database = await aDatabase();
  sql = postgres(database.url, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

test("a service that is killed while it empties a deleted project continues after its next start", async () => {
  const settings = {
    ...inject("servers"),
    PORT: "0",
    DATABASE_URL: database.url,
    DASHBOARD_DIR: "none",
    SWEEP_INTERVAL_MS: "200",
  };
  const storage = await aStallingProxy(inject("servers").S3_ENDPOINT, DELETES_BEFORE_DEATH);
  const first = await aProcess({ ...settings, S3_ENDPOINT: storage.url });
  const { deps, close } = composeDatabaseCommands(
    readDatabaseConfig({ ...inject("servers"), DATABASE_URL: database.url }),
  );
  const made = await createProject(deps, { name: "deleted" });
  const project = await findProjectByRef(deps, made.ref);
  const prefix = `projects/${made.ref}/`;
  await Promise.all(
    Array.from({ length: STORED }, (_, i) =>
      aStoredFile(first.url, made.apiKey, { filename: `${i}.txt`, tenant_id: `t${i % 3}` }),
    ),
  );
  await sql`
    insert into files (project_id, tenant, path, filename, content_type, url_expires_at, created_at, next_check_at)
    select project_id, id, ${prefix} || 'requested/' || n, 'a.txt', 'text/plain', now() + interval '1 hour', now(),
           now() + interval '1 hour'
    from (select project_id, id from tenants where project_id = ${project.id} limit 1) as tenant,
         generate_series(1, ${REQUESTED}) as n`;

  const caller = {
    operator: { id: "o", email: "o@example.com" },
    client: { ipAddress: "192.0.2.1", userAgent: "a test" },
  };
  await deleteProject(deps, { ...caller, project }, { name: "deleted" });
  await close();
  await storage.stalled;
  await first.kill();
  storage.close();
  const left = (await listStoredObjects(prefix)).size;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(STORED);
  expect(await countNotDeleting(project.id)).toBeGreaterThan(0);
  await endLease(project.id);

  const second = await aProcess(settings);
  const upload = { tenant_id: "t", filename: "a.txt" };
  const refused = await call(`${second.url}/api/storage/upload/`, { key: made.apiKey, body: upload });
  expect(refused.status).toBe(401);
  await expect
    .poll(async () => [(await listStoredObjects(prefix)).size, await countNotDeleting(project.id)], {
      timeout: 120_000,
      interval: 200,
    })
    .toEqual([0, 0]);
  const counters = await sql`
    select distinct used_bytes::int, reserved_bytes::int, file_count::int
    from tenants where project_id = ${project.id}`;
  expect([...counters]).toEqual([{ used_bytes: 0, reserved_bytes: 0, file_count: 0 }]);
  await second.kill();
});

async function countNotDeleting(projectId: number): Promise<number> {
  const [row] = await sql`
    select count(*)::int as n from files where project_id = ${projectId} and status <> 'deleting'`;
  return row!["n"] as number;
}

/** Checks that the lease of the killed process is short, and then ends it, so that the test does not wait for it. */
async function endLease(projectId: number): Promise<void> {
  const [lease] = await sql`
    select extract(epoch from next_purge_at - now()) as seconds from projects where id = ${projectId}`;
  expect(Number(lease!["seconds"])).toBeLessThanOrEqual(LEASE_SECONDS);
  await sql`update projects set next_purge_at = now() where id = ${projectId}`;
  const files = await sql`
    select max(extract(epoch from next_check_at - now())) as seconds
    from files where project_id = ${projectId} and status = 'deleting'`;
  expect(Number(files[0]!["seconds"])).toBeLessThanOrEqual(LEASE_SECONDS);
  await sql`update files set next_check_at = now() where project_id = ${projectId} and status = 'deleting'`;
}
