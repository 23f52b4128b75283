import postgres, { type Sql } from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, inTransaction, openDatabase } from "#db/client.js";
import { aDatabase } from "../fixtures/a-database.js";
import { aPgbouncer, type Pgbouncer } from "../fixtures/a-pgbouncer.js";

const TIMEOUT_MS = 2000;
const HANG_MS = 6000;
/** A statement that sleeps, with or without the mark of the service's own statements. */
const SLEEPS = String.raw`^(/\*[^*]*\*/ )?select pg_sleep\(60\)`;

let database: Awaited<ReturnType<typeof aDatabase>>;
let pgbouncer: Pgbouncer;
let db: Database;
/** Observes the server without pgbouncer. */
let observer: Sql;
beforeEach(async () => {
  database = await aDatabase();
  pgbouncer = await aPgbouncer({ default_pool_size: 1, query_wait_timeout: TIMEOUT_MS / 1000 });
  db = openDatabase({
    url: pgbouncer.through(database.url),
    poolSize: 2,
    timeoutMs: TIMEOUT_MS,
    prepared: false,
  });
  observer = postgres(database.url, { max: 2, onnotice: () => undefined });
  await Promise.all([observer`select pg_sleep(0.1)`, observer`select pg_sleep(0.1)`]);
  await db.execute("create table written (x int)", []);
});
afterEach(async () => {
  await db.close();
  await pgbouncer.close();
  await observer.end();
  await database.drop();
});

const unavailable = { code: "unavailable" };
const write = (x: number) => db.execute("insert into written values ($1)", [x]);
const written = async () =>
  (await observer`select x from written order by x`).map((row) => row["x"] as number);
const isSleeping = async () => {
  const [found] = await observer`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state = 'active' and query ~ ${SLEEPS}`;
  return found!["count"] !== 0;
};

test("pgbouncer forwards the cancel request of a statement over its time limit", async () => {
  const ended = db.execute("select pg_sleep(60)", []).catch((error: unknown) => error);
  await expect.poll(isSleeping, { interval: 20 }).toBe(true);
  expect(await ended).toMatchObject(unavailable);
  expect(await isSleeping()).toBe(false);
  await write(1);
  expect(await written()).toEqual([1]);
});

test("a statement that waits in pgbouncer is never executed after its caller got 503", async () => {
  const holder = postgres(pgbouncer.through(database.url), { max: 1, prepare: false });
  // pgbouncer has one connection, and this transaction keeps it for longer than the time limit.
  const held = holder.begin((tx) => tx.unsafe("select pg_sleep(60)"));
  const released = held.catch((error: unknown) => error);
  await expect.poll(isSleeping, { interval: 20 }).toBe(true);
  await expect(write(1)).rejects.toMatchObject(unavailable);
  await observer`select pg_cancel_backend(pid) from pg_stat_activity where query ~ ${SLEEPS}`;
  expect(await released).toMatchObject({ code: "57014" });
  await write(2);
  expect(await written()).toEqual([2]);
  await holder.end();
});

test("a process that hangs in the middle of a transaction loses its locks and its place in pgbouncer", async () => {
  await write(0);
  let other: Promise<unknown> | undefined;
  let hungAt = 0;
  const hung = inTransaction(db, async (queries) => {
    await queries.execute("update written set x = 1", []);
    other = observer`update written set x = x + 10 returning extract(epoch from clock_timestamp()) * 1000 as ms`;
    other.catch(() => undefined);
    const [now] = await observer`select extract(epoch from clock_timestamp()) * 1000 as ms`;
    hungAt = Number(now!["ms"]);
    // No timer and no socket of this process works until it continues, as after SIGSTOP.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HANG_MS);
    await queries.execute("update written set x = 2", []);
  });
  await expect(hung).rejects.toMatchObject(unavailable);
  const [row] = (await other) as { ms: string }[];
  expect(Number(row!.ms) - hungAt).toBeLessThan(HANG_MS - TIMEOUT_MS);
  expect(await written()).toEqual([10]);
  await write(2);
  expect(await written()).toEqual([2, 10]);
});
