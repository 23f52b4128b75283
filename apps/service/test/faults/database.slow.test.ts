import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "#db/client.js";
import { aDatabase } from "../fixtures/a-database.js";
import { anOutageProxy, type OutageProxy } from "../fixtures/an-outage-proxy.js";

/** Three connections in the lane of the database client itself. One owner may use two of them. */
const POOL = 14;
const TIMEOUT_MS = 3000;

let database: Awaited<ReturnType<typeof aDatabase>>;
let proxy: OutageProxy;
let db: Database;
beforeEach(async () => {
  database = await aDatabase();
  proxy = await anOutageProxy(database.url);
  db = openDatabase({ url: proxy.url, poolSize: POOL, timeoutMs: TIMEOUT_MS });
  await db.execute("create table written (x int)", []);
});
afterEach(async () => {
  await db.close();
  await proxy.close();
  await database.drop();
});

const write = () => db.execute("insert into written values (1) returning x", []);
const count = async () =>
  (await db.execute<{ n: number }>("select count(*)::int as n from written", []))[0]!.n;

test("the database client replaces connections that no longer answer", async () => {
  await Promise.all(Array.from({ length: POOL }, write));
  proxy.freeze("these");
  const answers = await Promise.allSettled(Array.from({ length: POOL }, write));
  const refused = answers.filter((answer) => answer.status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expect(answer).toMatchObject({ reason: { code: "unavailable" } });
  await expect
    .poll(() =>
      write().then(
        () => "written",
        () => "not yet",
      ),
    )
    .toBe("written");
});

test("the database client never executes a statement after its caller got 503", async () => {
  proxy.freeze();
  const answers = await Promise.allSettled(Array.from({ length: 40 }, write));
  expect(answers.every((answer) => answer.status === "rejected")).toBe(true);
  await proxy.bringBack();
  await expect.poll(() => count().catch(() => -1)).toBe(0);
  await sleep(TIMEOUT_MS);
  expect(await count()).toBe(0);
});

test("the database client ends a slow statement at its time limit without failing the others", async () => {
  const slow = db.execute("select pg_sleep(60)", []);
  // They share one connection. Each of too many would wait too long for it on a busy machine, and get 429.
  const others = Promise.all(Array.from({ length: 5 }, write));
  await Promise.all([
    expect(slow).rejects.toMatchObject({ code: "unavailable" }),
    expect(others).resolves.toHaveLength(5),
  ]);
});
