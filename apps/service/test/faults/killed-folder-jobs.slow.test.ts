import postgres from "postgres";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { composeDatabaseCommands } from "#compose-cli.js";
import { readDatabaseConfig } from "#config.js";
import { createProject, type ProjectWithKey } from "#projects/create-project.js";
import { aDatabase } from "../fixtures/a-database.js";
import { aProcess, type ServiceProcess } from "../fixtures/a-process.js";
import { call } from "../fixtures/call.js";
import { aKillPointProxy, type KillPoint } from "./a-kill-point.js";

/** Two full steps of 1,000 files and a part of one. */
const FILES = 2500;
/** For how long the lease of a killed process may keep other processes from its job. */
const LEASE_SECONDS = 30;
const LIMIT_MS = 120_000;

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

/** A process that a failed test leaves would work on the job of the next one. */
let processes: ServiceProcess[] = [];
afterEach(async () => {
  await Promise.all(processes.map((one) => one.kill()));
  processes = [];
});

async function start(url = database.url): Promise<ServiceProcess> {
  const started = await aProcess({ ...settings(), DATABASE_URL: url });
  processes.push(started);
  return started;
}

const settings = () => ({
  ...inject("servers"),
  PORT: "0",
  DASHBOARD_DIR: "none",
  SWEEP_INTERVAL_MS: "200",
});

/** Before the step is written down, when it has taken effect in the transaction, and after the transaction. */
const PROGRESS = /update folder_jobs t\s+set done/;
const KILLS: [when: string, point: KillPoint][] = [
  ["before the progress", { moment: "before", statement: PROGRESS }],
  ["before the commit", { moment: "before", statement: /^commit/i, following: PROGRESS }],
  ["after the commit", { moment: "after", statement: /^commit/i, following: PROGRESS }],
];

test.each([
  ["move", { from: "a", to: "b" }, "updated", "file.updated"],
  ["delete", { folder: "a" }, "trashed", "file.deleted"],
] as const)(
  "a job that shall %s a folder survives kills between and in its steps, and changes every file once",
  async (verb, change, kind, type) => {
    const { id, apiKey } = await aProjectWithFiles();
    const proxy = await aKillPointProxy(database.url);
    const [first, ...rest] = KILLS.map(([, point]) => point);
    let victim = await start(proxy.url);
    // Its log starts with the first read.
    const log = await call<{ next_cursor: string }>(`${victim.url}/api/storage/events/`, { key: apiKey });
    expect(log.status).toBe(200);
    const reached = proxy.reaches(first!);
    const started = await call<{ job_id: string }>(`${victim.url}/api/storage/folders/${verb}/`, {
      key: apiKey,
      body: { tenant_id: "t", ...change },
    });
    expect(started.status).toBe(200);
    await reached;
    for (const point of rest) {
      await victim.kill();
      proxy.cut();
      const next = proxy.reaches(point);
      await endLease(id);
      victim = await start(proxy.url);
      await next;
    }
    await victim.kill();
    proxy.cut();
    // One step has been committed.
    expect(await progressOf(id)).toEqual({ done: 1000, total: FILES, ended: false });
    await endLease(id);

    const replicas = await Promise.all([start(), start()]);
    await expect
      .poll(() => progressOf(id), { timeout: LIMIT_MS, interval: 200 })
      .toEqual({ done: FILES, total: FILES, ended: true });
    const [replica] = replicas;
    const job = await call(`${replica.url}/api/storage/jobs/?job_id=${started.body.job_id}`, { key: apiKey });
    expect(job.body).toMatchObject({ state: "done", total: FILES, done: FILES, kept: 0 });
    const [history] = await sql`
      select count(*)::int as n, count(distinct file_id)::int as files from file_events
      where project_id = ${id} and kind::text = ${kind}`;
    expect(history).toEqual({ n: FILES, files: FILES });
    // A page without events of this type need not be the last one.
    await expect
      .poll(() => eventsOf(replica.url, apiKey, type, log.body.next_cursor), { timeout: LIMIT_MS })
      .toEqual({ n: FILES, files: FILES });
    const changed = { status: verb === "move" ? "stored" : "trashed", root: verb === "move" ? "b" : "a" };
    expect(
      await sql`select status::text, split_part(folder, '/', 1) as root, min(revision)::int as least,
                  max(revision)::int as most, count(*)::int as n from files where project_id = ${id} group by 1, 2`,
    ).toEqual([{ ...changed, least: 1, most: 1, n: FILES }]);
    expect(
      await sql`select name, file_count, used_bytes::int from folders where project_id = ${id} order by file_count desc, name`,
    ).toEqual([
      { name: changed.root, file_count: FILES, used_bytes: FILES },
      ...[0, 1, 2, 3, 4].map((n) => ({ name: `${n}`, file_count: FILES / 5, used_bytes: FILES / 5 })),
    ]);
    await proxy.close();
  },
  600_000,
);

async function aProjectWithFiles(): Promise<ProjectWithKey & { id: number }> {
  const { deps, close } = composeDatabaseCommands(
    readDatabaseConfig({ ...inject("servers"), DATABASE_URL: database.url }),
  );
  const made = await createProject(deps, { name: "folders", trashDays: 7 });
  await close();
  const [project] = await sql`select id::int from projects where ref = ${made.ref}`;
  const id = project!["id"] as number;
  await sql`
    insert into tenants (project_id, tenant_id, ref, used_bytes, file_count, created_at)
    values (${id}, 't', ${made.ref}, ${FILES}, ${FILES}, now())`;
  await sql`
    insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at, stored_at, folder)
    select project_id, id, ${`projects/${made.ref}/`} || n, n || '.txt', 'text/plain', 1, 'stored', now(), now(), now(), 'a/' || n % 5
    from tenants cross join generate_series(1, ${FILES}) n where project_id = ${id}`;
  await sql`
    insert into folders (project_id, tenant, parent, name, file_count, used_bytes)
    select f.project_id, f.tenant, chain.parent, chain.name, count(*), count(*)
    from files f cross join lateral folder_chain(f.folder) chain where f.project_id = ${id} group by 1, 2, 3, 4`;
  return { ...made, id };
}

async function progressOf(projectId: number) {
  const [job] = await sql`
    select done, total, ended_at is not null as ended from folder_jobs where project_id = ${projectId}`;
  return job;
}

/** Checks that the lease of the killed process is short, and then ends it, so that the test does not wait for it. */
async function endLease(projectId: number): Promise<void> {
  // The database ends the transaction of a broken connection before another process can change the row.
  const [lease] = await sql`
    update folder_jobs j set due_at = now() from folder_jobs before
    where j.project_id = ${projectId} and before.project_id = j.project_id and before.id = j.id
    returning extract(epoch from before.due_at - now()) as seconds`;
  expect(Number(lease!["seconds"])).toBeLessThanOrEqual(LEASE_SECONDS);
}

/** Counts the events of a type in the log, and the files that they are about. */
async function eventsOf(url: string, key: string, type: string, after: string) {
  const paths: string[] = [];
  for (let cursor = after; ;) {
    const query = new URLSearchParams({ types: type, limit: "1000", after: cursor });
    const { body } = await call<{ events: { data: { file_path: string } }[]; next_cursor: string }>(
      `${url}/api/storage/events/?${query}`,
      { key },
    );
    paths.push(...body.events.map(({ data }) => data.file_path));
    if (body.next_cursor === cursor) return { n: paths.length, files: new Set(paths).size };
    cursor = body.next_cursor;
  }
}
