import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { composeDatabaseCommands } from "#compose-cli.js";
import { readDatabaseConfig } from "#config.js";
import { deleteProject } from "#admin/delete-project.js";
import { createProject } from "#projects/create-project.js";
import { findProjectByRef } from "#projects/find-project.js";
import { aDatabase } from "../fixtures/a-database.js";
import { aProcess } from "../fixtures/a-process.js";
import { aStallingProxy } from "../fixtures/a-stalling-proxy.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { call } from "../fixtures/call.js";
import { listStorage } from "../fixtures/look-into.js";

const STORED = 40;
/** More than the service takes at once, so that the project is not yet marked whole when the process dies. */
const ASKED_FOR = 1000;
const DELETES_BEFORE_DEATH = 10;
/** A claim that a killed process held is free again after 30 seconds. */
const RESUMED_WITHIN_MS = 75_000;

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

test(
  "a service that is killed while it empties a deleted project goes on with it after its next start",
  { timeout: 120_000 },
  async () => {
    const settings = {
      ...inject("servers"),
      PORT: "0",
      DATABASE_URL: database.url,
      DASHBOARD_DIR: "none",
      SWEEP_INTERVAL_MS: "200",
    };
    const storage = await aStallingProxy(inject("servers").S3_ENDPOINT, DELETES_BEFORE_DEATH);
    const first = await aProcess({ ...settings, S3_ENDPOINT: storage.url });
    const { deps, close } = composeDatabaseCommands(readDatabaseConfig({ DATABASE_URL: database.url }));
    const made = await createProject(deps, { name: "doomed" });
    const project = await findProjectByRef(deps, made.ref);
    const prefix = `projects/${made.ref}/`;
    await Promise.all(
      Array.from({ length: STORED }, (_, i) =>
        aStoredFile(first.url, made.apiKey, { filename: `${i}.txt`, tenant_id: `t${i % 3}` }),
      ),
    );
    await sql`
      insert into files (project_id, tenant, path, filename, content_type, url_expires_at, created_at, next_look_at)
      select project_id, id, ${prefix} || 'asked/' || n, 'a.txt', 'text/plain', now() + interval '1 hour', now(),
             now() + interval '1 hour'
      from (select project_id, id from tenants where project_id = ${project.id} limit 1) as tenant,
           generate_series(1, ${ASKED_FOR}) as n`;

    const caller = {
      operator: { id: "o", email: "o@example.com" },
      client: { ipAddress: "192.0.2.1", userAgent: "a test" },
    };
    await deleteProject(deps, { ...caller, project }, { name: "doomed" });
    await close();
    await storage.stalled;
    await first.kill();
    storage.close();
    const left = (await listStorage(prefix)).size;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(STORED);
    expect(await untouched(project.id)).toBeGreaterThan(0);

    const second = await aProcess(settings);
    const upload = { tenant_id: "t", filename: "a.txt" };
    const refused = await call(`${second.url}/api/storage/upload/`, { key: made.apiKey, body: upload });
    expect(refused.status).toBe(401);
    await expect
      .poll(async () => [(await listStorage(prefix)).size, await untouched(project.id)], {
        timeout: RESUMED_WITHIN_MS,
        interval: 500,
      })
      .toEqual([0, 0]);
    const counters = await sql`
      select distinct used_bytes::int, reserved_bytes::int, file_count::int
      from tenants where project_id = ${project.id}`;
    expect([...counters]).toEqual([{ used_bytes: 0, reserved_bytes: 0, file_count: 0 }]);
    await second.kill();
  },
);

/** Files that nobody has begun to delete. */
async function untouched(projectId: number): Promise<number> {
  const [row] = await sql`
    select count(*)::int as n from files where project_id = ${projectId} and status <> 'deleting'`;
  return row!["n"] as number;
}
