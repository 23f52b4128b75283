import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { composeDatabaseCommands } from "#compose-cli.js";
import { readDatabaseConfig } from "#config.js";
import { createProject, type ProjectWithKey } from "#projects/create-project.js";
import { aDatabase } from "../fixtures/a-database.js";
import { anOutageProxy, type OutageProxy } from "../fixtures/an-outage-proxy.js";
import { aProcess, type ServiceProcess } from "../fixtures/a-process.js";
import { listStorage } from "../fixtures/look-into.js";
import { type Acknowledged, type Load, startLoad } from "./load.js";

/*
 * The built service under load, while what it runs on is taken away from it: its own process, its database, its storage.
 */
const KILLS = 20;

let database: Awaited<ReturnType<typeof aDatabase>>;
let databaseProxy: OutageProxy;
let storageProxy: OutageProxy;
let settings: Record<string, string>;
let service: ServiceProcess;

beforeAll(async () => {
  database = await aDatabase();
  databaseProxy = await anOutageProxy(database.url);
  storageProxy = await anOutageProxy(inject("servers").S3_ENDPOINT);
  settings = {
    ...inject("servers"),
    PORT: "0",
    DATABASE_URL: databaseProxy.url,
    DATABASE_TIMEOUT_MS: "2000",
    S3_ENDPOINT: storageProxy.url,
    S3_TIMEOUT_MS: "2000",
    SWEEP_INTERVAL_MS: "200",
    LOG_LEVEL: "error",
  };
  service = await aProcess({ ...settings, LOG_LEVEL: "info" });
});
afterAll(async () => {
  await service?.kill();
  await Promise.all([databaseProxy?.close(), storageProxy?.close()]);
  await database?.drop();
});

async function aProjectHere(): Promise<ProjectWithKey> {
  const { deps, close } = composeDatabaseCommands(readDatabaseConfig({ DATABASE_URL: database.url }));
  return createProject(deps, { name: "faults" }).finally(close);
}

async function rows<Row>(text: string, parameters: string[]): Promise<Row[]> {
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  return [...(await sql.unsafe(text, parameters).finally(() => sql.end()))] as Row[];
}

/** Nothing that was acknowledged is lost, and the counters are what the rows say, which is what storage holds. */
async function expectExact(project: ProjectWithKey, acknowledged: Acknowledged): Promise<void> {
  expect(acknowledged.wrong).toEqual([]);
  const unsettled = () =>
    rows(
      `select f.path from files f join projects p on p.id = f.project_id
       where p.ref = $1 and (f.status = 'deleting' or (f.status = 'pending' and f.path = any(string_to_array($2, ','))))`,
      [project.ref, [...acknowledged.put.keys()].join(",")],
    );
  // Every look comes within ten seconds; a claim that a killed process held is free again after ten.
  await expect.poll(unsettled, { timeout: 60_000, interval: 500 }).toEqual([]);

  const files = await rows<{ path: string; size: string; status: string }>(
    `select f.path, f.size, f.status from files f join projects p on p.id = f.project_id where p.ref = $1`,
    [project.ref],
  );
  const byPath = new Map(files.map((file) => [file.path, file]));
  const lost = [...acknowledged.requested].filter(
    (path) => !byPath.has(path) && !acknowledged.deleteTried.has(path),
  );
  expect(lost).toEqual([]);
  for (const [path, size] of acknowledged.put) {
    const file = byPath.get(path);
    if (file) expect(file).toMatchObject({ status: "stored", size: String(size) });
  }
  for (const path of acknowledged.deleted) expect(byPath.has(path)).toBe(false);

  const [drift] = await rows<{ tenants: string }>(
    `select count(*) as tenants from (
       select t.id from tenants t
       join projects p on p.id = t.project_id
       left join files f on f.project_id = t.project_id and f.tenant = t.id
       where p.ref = $1 group by t.project_id, t.id
       having t.used_bytes <> coalesce(sum(f.size) filter (where f.status = 'stored'), 0)
           or t.reserved_bytes <> coalesce(sum(f.reserved_bytes), 0)
           or t.file_count <> count(*) filter (where f.status = 'stored')) as wrong`,
    [project.ref],
  );
  expect(drift).toEqual({ tenants: "0" });

  const stored = files.filter((file) => file.status === "stored").map((file) => file.path);
  const objects = new Set<string>();
  const tenantPrefixes = new Set(stored.map((path) => path.split("/").slice(0, 4).join("/")));
  for (const prefix of tenantPrefixes)
    for (const path of (await listStorage(`${prefix}/`)).keys()) objects.add(path);
  expect(stored.filter((path) => !objects.has(path))).toEqual([]);
}

/** In the middle of work, however slow the machine is. */
async function hasCompleted(load: Load, count: number): Promise<void> {
  await expect
    .poll(() => load.acknowledged.completed.size, { timeout: 60_000, interval: 20 })
    .toBeGreaterThanOrEqual(count);
}

test(`${KILLS} kills in the middle of load lose nothing that was acknowledged`, async () => {
  const project = await aProjectHere();
  const load = startLoad(() => service.url, project.apiKey);
  const completed = () => load.acknowledged.completed.size;
  for (let kill = 0; kill < KILLS; kill++) {
    // In the middle of work, however slow the machine: after something was done, and at another moment each time.
    const before = completed();
    await expect.poll(completed, { timeout: 30_000, interval: 10 }).toBeGreaterThan(before);
    await sleep((kill * 37) % 200);
    await service.kill();
    service = await aProcess({ ...settings, LOG_LEVEL: "info" });
  }
  await sleep(500);
  await load.stop();
  expect(load.acknowledged.broken).toBeGreaterThan(0);
  await expectExact(project, load.acknowledged);
}, 240_000);

test.each<[string, (proxy: OutageProxy) => Promise<void> | void]>([
  ["refuses connections", (proxy) => proxy.takeDown()],
  ["stops answering", (proxy) => proxy.freeze()],
])(
  "a database that %s for some seconds is 503 with Retry-After, and nothing is lost",
  async (_how, takeAway) => {
    const project = await aProjectHere();
    const load = startLoad(() => service.url, project.apiKey);
    await hasCompleted(load, 5);
    await takeAway(databaseProxy);
    await sleep(4000);
    await databaseProxy.bringBack();
    await expect
      .poll(() => fetch(`${service.url}/readyz`).then((answer) => answer.status), { timeout: 15_000 })
      .toBe(200);
    await hasCompleted(load, load.acknowledged.completed.size + 1);
    await load.stop();
    expect(load.acknowledged.unavailable).toBeGreaterThan(0);
    expect(load.acknowledged.broken).toBe(0);
    expect(load.acknowledged.slowestMs).toBeLessThan(6000);
    await expectExact(project, load.acknowledged);
  },
  180_000,
);

test.each<[string, (proxy: OutageProxy) => Promise<void> | void]>([
  ["refuses connections", (proxy) => proxy.takeDown()],
  ["stops answering", (proxy) => proxy.freeze()],
])(
  "storage that %s for some seconds is 503 with Retry-After where it is needed, and nothing is lost",
  async (_how, takeAway) => {
    const project = await aProjectHere();
    const load = startLoad(() => service.url, project.apiKey);
    await hasCompleted(load, 5);
    // Uploads whose bytes are there, to be completed while storage is away.
    const waiting = [...load.acknowledged.completed.keys()];
    await takeAway(storageProxy);
    const answers = await Promise.all(
      waiting.slice(0, 5).map((file_path) =>
        fetch(`${service.url}/api/storage/complete/`, {
          method: "POST",
          headers: { Authorization: `Bearer ${project.apiKey}`, "Content-Type": "application/json" },
          body: JSON.stringify({ file_path }),
          signal: AbortSignal.timeout(10_000),
        }),
      ),
    );
    for (const answer of answers) {
      expect([answer.status === 503, answer.headers.has("retry-after")].join()).toMatch(
        /^(true,true|false,false)$/,
      );
    }
    expect(answers.some((answer) => answer.status === 503)).toBe(true);
    await sleep(3000);
    await storageProxy.bringBack();
    await sleep(1500);
    await load.stop();
    await expectExact(project, load.acknowledged);
  },
  180_000,
);
