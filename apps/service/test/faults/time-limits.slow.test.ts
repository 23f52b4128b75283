import { randomUUID } from "node:crypto";
import postgres, { type Sql } from "postgres";
import { sql as drizzleSql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, inTransaction, openDatabase } from "#db/client.js";
import { aDatabase } from "../fixtures/a-database.js";
import { anOutageProxy, type OutageProxy } from "../fixtures/an-outage-proxy.js";

// Long enough for the observer to see a statement before its time limit, also on a busy machine.
const TIMEOUT_MS = 3000;
const HANG_MS = 9000;

let database: Awaited<ReturnType<typeof aDatabase>>;
let proxy: OutageProxy;
let db: Database;
/** Observes the server without the client under test. */
let observer: Sql;
beforeEach(async () => {
  database = await aDatabase();
  proxy = await anOutageProxy(database.url);
  db = openDatabase({ url: proxy.url, poolSize: 2, timeoutMs: TIMEOUT_MS });
  observer = postgres(database.url, { max: 2, onnotice: () => undefined });
  // Connects now: on a busy machine, connecting may take as long as the time limit.
  await Promise.all([observer`select pg_sleep(0.1)`, observer`select pg_sleep(0.1)`]);
});
afterEach(async () => {
  await db.close();
  await observer.end();
  await proxy.close();
  await database.drop();
});

/** A statement that takes longer than its time limit, with a comment that identifies it in pg_stat_activity. */
function aSlowStatement() {
  const mark = randomUUID();
  const isRunning = async () => {
    const [found] = await observer.unsafe<{ count: number }[]>(
      `select count(*)::int as count from pg_stat_activity
       where state = 'active' and query like '%' || $1 || '%' and pid <> pg_backend_pid()`,
      [mark],
    );
    return found!.count > 0;
  };
  return { text: `select pg_sleep(60) /* ${mark} */`, isRunning };
}

/** As a module that loads, or a container without CPU. */
function blockEventLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const backendPid = async () =>
  (await db.execute<{ pid: number }>("select pg_backend_pid() as pid", []))[0]!.pid;

test.each<[string, (text: string) => Promise<unknown>]>([
  ["a statement", (text) => db.execute(text, [])],
  ["a statement of drizzle", (text) => db.run((drizzle) => drizzle.execute(drizzleSql.raw(text)))],
  ["a statement in a transaction", (text) => inTransaction(db, (queries) => queries.execute(text, []))],
])(
  "%s over its time limit does not continue in the server, and its connection is used again",
  async (_, run) => {
    const single = openDatabase({ url: proxy.url, poolSize: 1, timeoutMs: TIMEOUT_MS });
    await db.close();
    db = single;
    const pid = await backendPid();
    const slow = aSlowStatement();
    const ended = run(slow.text).catch((error: unknown) => error);
    await expect.poll(slow.isRunning, { interval: 20 }).toBe(true);
    expect(await ended).toMatchObject({ code: "unavailable" });
    expect(await slow.isRunning()).toBe(false);
    expect(await backendPid()).toBe(pid);
  },
);

test("an answer that arrives while the event loop is blocked counts, and no connection is given up", async () => {
  const reports: object[] = [];
  const single = openDatabase({
    url: proxy.url,
    poolSize: 1,
    timeoutMs: TIMEOUT_MS,
    onRefused: (report) => reports.push(report),
  });
  await db.close();
  db = single;
  const pid = await backendPid();
  // One runs, and one waits for the connection.
  const answers = Promise.all([backendPid(), backendPid()]);
  setImmediate(() => blockEventLoop(TIMEOUT_MS + 1500));
  expect(await answers).toEqual([pid, pid]);
  expect(await backendPid()).toBe(pid);
  expect(reports).toEqual([]);
});

test("a transaction that takes longer than its limit because the event loop is blocked does not count as done", async () => {
  const ended = inTransaction(db, async (queries) => {
    await queries.execute("select 1", []);
    blockEventLoop(TIMEOUT_MS + 500);
  }).catch((error: unknown) => error);
  expect(await ended).toMatchObject({ code: "unavailable" });
});

test("the log is told which calls got no answer in time, and why", async () => {
  const reports: object[] = [];
  await db.close();
  db = openDatabase({
    url: proxy.url,
    poolSize: 1,
    timeoutMs: TIMEOUT_MS,
    onRefused: (report) => reports.push(report),
  });
  const statements = [db.execute("select pg_sleep(60)", []), db.execute("select 1", [])];
  await Promise.allSettled(statements);
  expect(reports).toEqual([
    {
      lane: "work",
      reason: "deadline",
      calls: 1,
      connections: 1,
      running: 1,
      waiting: 0,
      tookMs: expect.any(Number) as number,
      blockedMs: expect.any(Number) as number,
    },
    expect.objectContaining({ lane: "work", reason: "unavailable" }),
  ]);
  expect(JSON.stringify(reports)).not.toContain("pg_sleep");
});

test("a statement over its time limit does not continue in the server when its connection no longer answers", async () => {
  const slow = aSlowStatement();
  const ended = db.execute(slow.text, []).catch((error: unknown) => error);
  await expect.poll(slow.isRunning, { interval: 20 }).toBe(true);
  proxy.freeze("these");
  expect(await ended).toMatchObject({ code: "unavailable" });
  await expect.poll(slow.isRunning).toBe(false);
});

test("a process survives a statement that reaches its time limit while the database is down", async () => {
  const slow = aSlowStatement();
  const ended = db.execute(slow.text, []).catch((error: unknown) => error);
  await expect.poll(slow.isRunning, { interval: 20 }).toBe(true);
  // Existing connections stay open without an answer, and the cancel request cannot connect.
  proxy.freeze("these");
  proxy.refuseNew();
  expect(await ended).toMatchObject({ code: "unavailable" });
});

test("a process that hangs in the middle of a transaction loses its locks after the time limit", async () => {
  await db.execute("create table locked (x int)", []);
  await db.execute("insert into locked values (0)", []);
  const now = async () =>
    Number((await observer.unsafe(`select extract(epoch from clock_timestamp()) * 1000 as ms`))[0]!["ms"]);
  let waiting: Promise<{ ms: string }[]> | undefined;
  let hungAt = Number.NaN;
  const hung = inTransaction(db, async (queries) => {
    await queries.execute("update locked set x = 1", []);
    waiting = observer.unsafe<{ ms: string }[]>(
      `update locked set x = x + 10 returning extract(epoch from clock_timestamp()) * 1000 as ms`,
    );
    waiting.catch(() => undefined);
    hungAt = await now();
    // No timer and no socket of this process works until it continues, as after SIGSTOP.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HANG_MS);
    await queries.execute("update locked set x = 2", []);
  });
  await expect(hung).rejects.toMatchObject({ code: "unavailable" });
  const [other] = await waiting!;
  expect(Number(other!.ms) - hungAt).toBeLessThan(HANG_MS - TIMEOUT_MS);
  expect([...(await observer.unsafe("select x from locked"))]).toEqual([{ x: 10 }]);
});

test("a transaction leaves no setting behind on its connection", async () => {
  const settings = `select current_setting('statement_timeout') as statement,
                           current_setting('idle_in_transaction_session_timeout') as idle`;
  const outside = await db.execute(settings, []);
  const inside = await inTransaction(db, (queries) => queries.execute(settings, []));
  expect(inside).toEqual([{ statement: "3s", idle: "3s" }]);
  expect(await db.execute(settings, [])).toEqual(outside);
});
