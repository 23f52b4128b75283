import postgres from "postgres";
import { expect, inject } from "vitest";
import { composeDatabaseCommands } from "#compose-cli.js";
import { readDatabaseConfig } from "#config.js";
import { createProject, type ProjectWithKey } from "#projects/create-project.js";
import { aDatabase } from "../fixtures/a-database.js";
import { anOutageProxy, type OutageProxy } from "../fixtures/an-outage-proxy.js";
import { aProcess } from "../fixtures/a-process.js";
import { listStoredObjects } from "../fixtures/direct-access.js";
import type { Acknowledged } from "./load.js";

/** The service promises to check each upload within ten seconds, and each deleted file within thirty. */
const PENDING_CHECK_WITHIN_MS = 10_000;
const DELETING_CHECK_WITHIN_MS = 30_000;

/** How long one call to the database or storage may take before its caller gets 503. */
export const CALL_TIMEOUT_MS = 2000;
/** Longer than {@link CALL_TIMEOUT_MS}, so that calls run into it. */
export const OUTAGE_MS = 3000;

/** What can happen to the database and to storage. */
export const outages: [name: string, interrupt: (proxy: OutageProxy) => Promise<void> | void][] = [
  ["refuses connections", (proxy) => proxy.takeDown()],
  ["stops answering", (proxy) => proxy.freeze()],
];

/** The built service as a process, which reaches its database and its storage through proxies that a test can interrupt. */
export interface ServiceOnProxies {
  database: OutageProxy;
  storage: OutageProxy;
  /** The address changes with each restart. */
  url(): string;
  project(): Promise<ProjectWithKey>;
  /** Kills the process and starts another one. */
  restart(): Promise<void>;
  /** Checks that no acknowledged change is lost, and that counters, rows and objects in storage agree. */
  expectExact(project: ProjectWithKey, acknowledged: Acknowledged): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param timeoutMs how long one call to the database or storage may take before its caller gets 503
 * @param database a migrated database @default a new one
 */
export async function aServiceOnProxies(
  timeoutMs: number,
  database?: { url: string; drop(): Promise<void> },
): Promise<ServiceOnProxies> {
  database ??= await aDatabase();
  const databaseProxy = await anOutageProxy(database.url);
  const storageProxy = await anOutageProxy(inject("servers").S3_ENDPOINT);
  const sql = postgres(database.url, { max: 2, onnotice: () => undefined });
  const rows = async <Row>(text: string, parameters: string[]) =>
    [...(await sql.unsafe(text, parameters))] as Row[];
  const start = () =>
    aProcess({
      ...inject("servers"),
      PORT: "0",
      DATABASE_URL: databaseProxy.url,
      DATABASE_TIMEOUT_MS: String(timeoutMs),
      S3_ENDPOINT: storageProxy.url,
      S3_TIMEOUT_MS: String(timeoutMs),
      SWEEP_INTERVAL_MS: "200",
    });
  let service = await start();

  /** Waits until every upload whose bytes arrived is recorded and every deleted file is gone. */
  async function expectSettled(ref: string, put: Iterable<string>): Promise<void> {
    const waiting = `from projects p where p.id = f.project_id and p.ref = $1
      and (f.status = 'deleting' or (f.status = 'pending' and f.path = any(string_to_array($2, ','))))`;
    const parameters = [ref, [...put].join(",")];
    const late = await rows(
      `select f.path, f.status, f.next_look_at from files f, projects p
       where p.id = f.project_id and p.ref = $1
         and (f.status = 'deleting' or (f.status = 'pending' and f.path = any(string_to_array($2, ','))))
         and f.next_look_at > now() + case f.status when 'deleting' then interval '${DELETING_CHECK_WITHIN_MS} ms'
                                      else interval '${PENDING_CHECK_WITHIN_MS} ms' end`,
      parameters,
    );
    expect(late).toEqual([]);
    // The checks are scheduled in time. The test does not wait for them. It makes them due now, which also frees the claims of a
    // killed process.
    await rows(`update files f set next_look_at = now() ${waiting} and f.next_look_at > now()`, parameters);
    await expect
      .poll(() => rows(`select f.path from files f where exists (select ${waiting})`, parameters), {
        timeout: 60_000,
        interval: 200,
      })
      .toEqual([]);
  }

  async function expectExact(project: ProjectWithKey, acknowledged: Acknowledged): Promise<void> {
    expect(acknowledged.wrong).toEqual([]);
    await expectSettled(project.ref, acknowledged.put.keys());
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
    const objects = await listObjects(stored);
    expect(stored.filter((path) => !objects.has(path))).toEqual([]);
  }

  return {
    database: databaseProxy,
    storage: storageProxy,
    url: () => service.url,
    async project() {
      const { deps, close } = composeDatabaseCommands(readDatabaseConfig({ DATABASE_URL: database.url }));
      return createProject(deps, { name: "faults" }).finally(close);
    },
    async restart() {
      await service.kill();
      service = await start();
    },
    expectExact,
    async close() {
      await service.kill();
      await Promise.all([databaseProxy.close(), storageProxy.close(), sql.end()]);
      await database.drop();
    },
  };
}

/** Lists the objects of every tenant that has one of these files. */
async function listObjects(paths: string[]): Promise<Set<string>> {
  const objects = new Set<string>();
  const tenantPrefixes = new Set(paths.map((path) => path.split("/").slice(0, 4).join("/")));
  for (const prefix of tenantPrefixes) {
    for (const path of (await listStoredObjects(`${prefix}/`)).keys()) objects.add(path);
  }
  return objects;
}
