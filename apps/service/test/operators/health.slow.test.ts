import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { ListedProject } from "#members/visible-projects.js";
import { openDatabase } from "#db/client.js";
import { createReplica, listReplicas } from "#health/replica.js";
import type { Health } from "#health/read-health.js";
import type { RequestStep } from "#health/read-requests.js";
import { createRequestCounters } from "#health/request-counters.js";
import { readRequests } from "#health/read-requests.js";
import { createRefusedRequestBuffer } from "#usage/refused-request-buffer.js";
import type { RefusedRequests } from "#usage/list-refused-requests.js";
import { HOUR_MS } from "#lib/time.js";
import { aDatabase } from "../fixtures/a-database.js";
import { anOperator, anOwnedProject, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anOutageProxy, type OutageProxy } from "../fixtures/an-outage-proxy.js";
import { call } from "../fixtures/call.js";

const SECRET = "the-secret-of-storage";

let storage: OutageProxy;
let service: RunningService;
let admin: Person;
let own: Awaited<ReturnType<typeof aDatabase>>;
beforeAll(async () => {
  storage = await anOutageProxy(inject("servers").S3_ENDPOINT);
  own = await aDatabase();
  service = await aService({
    DATABASE_URL: own.url,
    S3_ENDPOINT: storage.url,
    S3_TIMEOUT_MS: "15000",
    STORAGE_EVENTS_SECRET: SECRET,
  });
  admin = await anOperator(service.url, { isAdmin: true, databaseUrl: own.url });
});
afterAll(async () => {
  await service.close();
  await storage.close();
  await own.drop();
});

const readHealth = async () => (await admin.query<Health>("health.read", {})).data;

/** A second replica of the same installation. It writes what it has counted when it closes. */
const aReplica = () =>
  aService({
    DATABASE_URL: own.url,
    S3_ENDPOINT: storage.url,
    S3_TIMEOUT_MS: "15000",
    STORAGE_EVENTS_SECRET: SECRET,
  });

test("the health says that everything works, and which lanes the database serves", async () => {
  const health = await readHealth();
  expect(health).toMatchObject({
    database: { problem: null },
    storage: { problem: null },
    events: { isAccepted: true },
    sweep: { overdueUploads: { count: 0, isExact: true }, oldestDueAt: null },
  });
  expect(health.database.lanes.map(({ lane }) => lane)).toContain("health");
  expect(health.version).toMatch(/^\d+\.\d+\.\d+/);
});

test("the health says that storage does not answer, and when it failed last", async () => {
  const replica = await aReplica();
  await storage.takeDown();
  const during = await readHealth();
  expect(during).toMatchObject({
    database: { problem: null },
    storage: { problem: "storage does not answer" },
  });
  expect((await fetch(`${replica.url}/readyz`)).status).toBe(503);
  await storage.bringBack();
  await replica.close();
  const after = await readHealth();
  expect(after.storage.problem).toBeNull();
  expect(Date.now() - Date.parse(after.storage.lastFailureAt!)).toBeLessThan(60_000);
});

test("the health knows the last notification of storage of any replica", async () => {
  const replica = await aReplica();
  const key = `projects/${"a".repeat(22)}/tenants/${"b".repeat(22)}/c`;
  const body = { Records: [{ s3: { bucket: { name: inject("servers").S3_BUCKET }, object: { key } } }] };
  expect((await call(`${replica.url}/internal/storage-events?secret=${SECRET}`, { body })).status).toBe(200);
  await replica.close();
  expect(Date.now() - Date.parse((await readHealth()).events.lastAt!)).toBeLessThan(60_000);
});

test("requests of all replicas are counted per minute, with those that were refused or had a wrong key", async () => {
  const owner = await anOperator(service.url, { databaseUrl: own.url });
  const { apiKey } = await anOwnedProject(owner);
  const before = totalOf((await admin.query<RequestStep[]>("health.requests", { hours: 1 })).data);
  for (const replica of [await aReplica(), await aReplica()]) {
    const send = (key: string, body: object) => call(`${replica.url}/api/storage/upload/`, { key, body });
    expect((await send(apiKey, { tenant_id: "t", filename: "a.txt" })).status).toBe(200);
    expect((await send(apiKey, { tenant_id: "t" })).status).toBe(400);
    expect((await send(apiKey.slice(0, -1), {})).status).toBe(401);
    await replica.close();
  }
  const { data } = await admin.query<RequestStep[]>("health.requests", { hours: 1 });
  const after = totalOf(data);
  expect(data).toHaveLength(60);
  expect(after.requests - before.requests).toBe(6);
  expect(after.refused - before.refused).toBe(2);
  expect(after.wrongKeys - before.wrongKeys).toBe(2);
  expect(after.failed - before.failed).toBe(0);
  expect(data.some(({ p95Ms }) => p95Ms !== null && p95Ms > 0)).toBe(true);
});

function totalOf(steps: RequestStep[]) {
  const sum = (name: "requests" | "refused" | "wrongKeys" | "failed") =>
    steps.reduce((total, step) => total + step[name], 0);
  return {
    requests: sum("requests"),
    refused: sum("refused"),
    wrongKeys: sum("wrongKeys"),
    failed: sum("failed"),
  };
}

test("refused requests are listed with time, reason and tenant, and for their project only", async () => {
  const replica = await aReplica();
  const owner = await anOperator(service.url, { databaseUrl: own.url });
  const { projectRef, apiKey } = await anOwnedProject(owner);
  const other = await anOwnedProject(owner);
  await owner.mutate("settings.update", { projectRef, maxFileBytes: 5 });
  const send = async (body: object) =>
    (await call(`${replica.url}/api/storage/upload/`, { key: apiKey, body })).status;
  expect(await send({ tenant_id: "user 1", filename: "secret-name.txt", size: 6 })).toBe(400);
  expect(await send({ tenant_id: "user 1", filename: "secret-name.txt", size: 7 })).toBe(400);
  expect(await send({ tenant_id: "user\u0000", filename: "a.txt" })).toBe(400);
  await replica.close();
  const list = async (input: object) =>
    (await owner.query<RefusedRequests[]>("health.refusedRequests", input)).data;
  const all = await list({ projectRef });
  // The two large files may fall into two minutes.
  const large = all.filter(({ code }) => code === "file_too_large");
  expect(large.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  expect(new Set(large.map(({ tenantId }) => tenantId))).toEqual(new Set(["user 1"]));
  expect(all.find(({ code }) => code !== "file_too_large")).toMatchObject({
    code: "invalid_request",
    tenantId: null,
    count: 1,
  });
  expect(await list({ projectRef, code: "invalid_request" })).toHaveLength(1);
  expect(JSON.stringify(all)).not.toContain("secret-name");
  expect(await list({ projectRef: other.projectRef })).toEqual([]);
});

test("a project keeps only its newest 500 refused requests", async () => {
  const owner = await anOperator(service.url, { databaseUrl: own.url });
  const { projectRef, apiKey } = await anOwnedProject(owner);
  const { hashApiKey } = await import("#projects/api-key.js");
  const db = openDatabase({ url: own.url, poolSize: 1, timeoutMs: 60_000 });
  let now = Date.parse("2026-01-01T00:00:00Z");
  const buffer = createRefusedRequestBuffer({ db, clock: () => new Date(now) });
  for (let minute = 0; minute < 8; minute++) {
    now += 60_000;
    for (let tenant = 0; tenant < 120; tenant++)
      buffer.record(hashApiKey(apiKey), "quota_exceeded", `t${tenant}`);
    await buffer.flush();
  }
  const [kept] = await db.execute<{ count: number }>(
    "select count(*)::integer as count from refused_requests r join projects p on p.id = r.project_id where p.ref = $1",
    [projectRef],
  );
  // Of each flush 100 entries, and the newest five flushes.
  expect(kept!.count).toBe(500);
  await db.close();
});

test("refused requests are counted once if the old ones could not be deleted after they were written", async () => {
  const owner = await anOperator(service.url, { databaseUrl: own.url });
  const { projectRef, apiKey } = await anOwnedProject(owner);
  const { hashApiKey } = await import("#projects/api-key.js");
  const db = openDatabase({ url: own.url, poolSize: 1, timeoutMs: 60_000 });
  const execute: typeof db.execute = (statement, parameters) =>
    statement.trim().startsWith("delete")
      ? Promise.reject(new Error("down"))
      : db.execute(statement, parameters);
  const buffer = createRefusedRequestBuffer({ db: { execute }, clock: () => new Date() });
  buffer.record(hashApiKey(apiKey), "quota_exceeded", "t");
  await expect(buffer.flush()).rejects.toThrow("down");
  await buffer.flush();
  await db.close();
  const { data } = await owner.query<RefusedRequests[]>("health.refusedRequests", { projectRef });
  expect(data.map(({ count }) => count)).toEqual([1]);
});

test("replicas report themselves, and are forgotten when they stop or were silent for a day", async () => {
  const database = await aDatabase();
  const db = openDatabase({ url: database.url, poolSize: 1, timeoutMs: 60_000 });
  let now = Date.parse("2026-01-01T00:00:00Z");
  const deps = { db, clock: () => new Date(now), randomBytes, version: "1.2.3" };
  const [first, second] = [
    createReplica({ ...deps, host: "first" }),
    createReplica({ ...deps, host: "second" }),
  ];
  await first.report();
  now += HOUR_MS;
  await second.report();
  expect(await listReplicas(db)).toMatchObject([
    { id: second.id, host: "second", version: "1.2.3", seenAt: "2026-01-01T01:00:00.000Z", waiting: 0 },
    { id: first.id, host: "first", startedAt: "2026-01-01T00:00:00.000Z" },
  ]);
  now += 23.5 * HOUR_MS;
  await second.report();
  expect((await listReplicas(db)).map(({ host }) => host)).toEqual(["second"]);
  await second.leave();
  expect(await listReplicas(db)).toEqual([]);
  await db.close();
  await database.drop();
});

test("two replicas add their counts of a minute, and an outage of the database loses none", async () => {
  const db = openDatabase({ url: own.url, poolSize: 1, timeoutMs: 60_000 });
  const clock = () => new Date("2030-01-01T00:00:30Z");
  let isDown = true;
  const execute: typeof db.execute = (...args) =>
    isDown ? Promise.reject(new Error("down")) : db.execute(...args);
  const [one, other] = [
    createRequestCounters({ db: { execute }, clock }),
    createRequestCounters({ db, clock }),
  ];
  one.record({ status: 200, durationMs: 10 });
  await expect(one.flush()).rejects.toThrow("down");
  isDown = false;
  one.record({ status: 500, durationMs: 1000 });
  other.record({ status: 200, durationMs: 10 });
  await one.flush();
  await other.flush();
  const steps = await readRequests({ db, clock }, { hours: 1 });
  expect(steps.at(-1)).toMatchObject({ at: "2030-01-01T00:00:00.000Z", requests: 3, failed: 1, refused: 0 });
  expect(steps.at(-1)!.p95Ms).toBeGreaterThan(700);
  await db.close();
});

test("the list of projects has each project's stored bytes and files, if it is asked to", async () => {
  const owner = await anOperator(service.url, { databaseUrl: own.url });
  const { projectRef, apiKey } = await anOwnedProject(owner);
  const empty = await anOwnedProject(owner);
  await aStoredFile(service.url, apiKey, { bytes: "12345" });
  const gone = await aStoredFile(service.url, apiKey, { tenant_id: "another", bytes: "12" });
  await call(`${service.url}/api/storage/delete/`, { key: apiKey, body: { file_path: gone.file_path } });
  const list = async (input: object) =>
    (await owner.query<{ projects: ListedProject[] }>("projects.list", input)).data.projects;
  const withUsage = await list({ withUsage: true });
  expect(withUsage.find(({ ref }) => ref === projectRef)!.usage).toEqual({ usedBytes: 5, fileCount: 1 });
  expect(withUsage.find(({ ref }) => ref === empty.projectRef)!.usage).toEqual({
    usedBytes: 0,
    fileCount: 0,
  });
  expect((await list({})).map(({ usage }) => usage)).toEqual([null, null]);
});

test("the health counts files that wait for their scan, and tells when the scanner last answered", async () => {
  const sql = postgres(own.url, { max: 1 });
  const operator = await anOperator(service.url, { databaseUrl: own.url });
  const { projectRef, apiKey } = await anOwnedProject(operator);
  expect((await readHealth()).scans).toMatchObject({ scannerLastAt: null, oldestDueAt: null });
  await operator.mutate("settings.update", { projectRef, scan: "clamav" });
  await aStoredFile(service.url, apiKey);
  await aStoredFile(service.url, apiKey);
  await sql`update file_tasks set due_at = now() - interval '2 minutes'`;
  // A scan that has failed waits for up to an hour.
  await sql`update file_tasks set due_at = now() + interval '1 hour', failures = 9
    where file_id = (select min(file_id) from file_tasks)`;
  const readiness = () =>
    fetch(`${service.url}/readyz`).then(async (answer) => [answer.status, await answer.json()]);
  expect(await readiness()).toEqual([200, { status: "ready" }]);
  await sql`insert into installation (name, value) values ('last_scanner', ${new Date().toISOString()})`;
  expect(await readiness()).toEqual([200, { status: "ready", scanner: "up" }]);
  await sql`update installation set value = '2026-01-01T00:00:00.000Z' where name = 'last_scanner'`;
  expect(await readiness()).toEqual([200, { status: "ready", scanner: "down" }]);
  expect((await readHealth()).scans.isUsed).toBe(true);
  await operator.mutate("settings.update", { projectRef, scan: "external" });
  expect(await readiness()).toEqual([200, { status: "ready" }]);
  expect((await readHealth()).scans.isUsed).toBe(false);
  await sql.end();
  expect((await readHealth()).scans).toMatchObject({
    scannerLastAt: "2026-01-01T00:00:00.000Z",
    overdue: { count: 1, isExact: true },
    failing: { count: 1, isExact: true },
    oldestDueAt: expect.any(String) as string,
  });
});

test("the health and the readiness tell why a worker can decode no image", async () => {
  const sql = postgres(own.url, { max: 1 });
  const readiness = () =>
    fetch(`${service.url}/readyz`).then(async (answer) => [answer.status, await answer.json()]);
  expect((await readHealth()).images).toMatchObject({ decoderProblem: null, isMemoryUnlimited: false });
  const now = new Date().toISOString();
  await sql`insert into installation (name, value) values
    ('last_image_decoder_failure', ${`${now} no decoder starts`}), ('last_image_decoder_unlimited', ${now})`;
  expect(await readiness()).toMatchObject([200, { image_decoder_problem: "no decoder starts" }]);
  expect((await readHealth()).images).toMatchObject({
    decoderProblem: "no decoder starts",
    isMemoryUnlimited: true,
  });
  await sql`delete from installation where name like 'last_image_decoder%'`;
  await sql.end();
  expect(await readiness()).toEqual([200, { status: "ready" }]);
});

test("the health counts image variants that wait, and tells when a worker last ran", async () => {
  const sql = postgres(own.url, { max: 1 });
  const operator = await anOperator(service.url, { databaseUrl: own.url });
  const { projectRef, apiKey } = await anOwnedProject(operator);
  expect((await readHealth()).images).toMatchObject({ isUsed: false, oldestDueAt: null });
  const preset = { name: "thumb", width: 100, height: null, fit: "inside", format: "webp", quality: 80 };
  await operator.mutate("presets.save", { projectRef, ...preset, eager: true });
  await aStoredFile(service.url, apiKey, { filename: "a.png", content_type: "image/png" });
  expect((await readHealth()).images).toMatchObject({ isUsed: true, workerLastAt: null, oldestDueAt: null });
  await sql`update file_variants set due_at = now() - interval '2 minutes'`;
  await sql`insert into installation (name, value) values ('last_image_worker', '2026-01-01T00:00:00.000Z')`;
  expect((await readHealth()).images).toMatchObject({
    workerLastAt: "2026-01-01T00:00:00.000Z",
    overdue: { count: 1, isExact: true },
    oldestDueAt: expect.any(String) as string,
    failing: { count: 0 },
    failed: { count: 0 },
  });
  await sql`update file_variants set failures = 1, failure = 'memory'`;
  expect((await readHealth()).images).toMatchObject({ failing: { count: 1 }, failed: { count: 0 } });
  await sql`update file_variants set status = 'failed', due_at = null`;
  expect((await readHealth()).images).toMatchObject({ failing: { count: 0 }, failed: { count: 1 } });
  await sql`update file_variants set failure = 'image'`;
  expect((await readHealth()).images).toMatchObject({ failing: { count: 0 }, failed: { count: 0 } });
  await sql.end();
});
