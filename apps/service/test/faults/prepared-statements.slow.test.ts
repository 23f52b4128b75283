import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "#db/client.js";
import { aDatabase } from "../fixtures/a-database.js";

let database: Awaited<ReturnType<typeof aDatabase>>;
beforeAll(async () => {
  database = await aDatabase();
});
afterAll(() => database.drop());

/** Runs a statement twice and returns which named statements its only connection then has. */
async function namedStatements(db: Database): Promise<string[]> {
  for (const x of [1, 2]) expect(await db.execute("select $1::int as x", [x])).toEqual([{ x }]);
  const rows = await db.run((drizzle) =>
    drizzle.execute<{ statement: string }>(sql`select statement from pg_prepared_statements`),
  );
  return rows.map(({ statement }) => statement);
}

const open = (options: { prepared?: boolean; onPreparedLost?: () => void }) =>
  openDatabase({ url: database.url, poolSize: 1, timeoutMs: 60_000, ...options });

test("statements are prepared once per connection", async () => {
  const db = open({});
  expect(await namedStatements(db)).toContainEqual(expect.stringContaining("select $1::int as x"));
  await db.close();
});

test("without prepared statements a connection has no named statement at all", async () => {
  const db = open({ prepared: false });
  expect(await namedStatements(db)).toEqual([]);
  await db.close();
});

test("statements that a pooler lost are executed, reported once, and no longer prepared", async () => {
  const onPreparedLost = vi.fn();
  const db = open({ onPreparedLost });
  // What a client meets when a pooler gives its next transaction another connection.
  const forget = () => db.run((drizzle) => drizzle.execute(sql`deallocate all`));
  const select = (x: number) => db.execute("select $1::int as x", [x]);
  expect(await select(1)).toEqual([{ x: 1 }]);
  await forget();
  expect(await select(2)).toEqual([{ x: 2 }]);
  expect(onPreparedLost).toHaveBeenCalledOnce();
  await forget();
  expect(await namedStatements(db)).toEqual([]);
  expect(onPreparedLost).toHaveBeenCalledOnce();
  await db.close();
});

test("a transaction is committed after a pooler has lost the driver's own prepared statements", async () => {
  const db = open({});
  await db.execute("create table written (x int)", []);
  for (const x of [1, 2]) {
    await db.run((drizzle) => drizzle.execute(sql`deallocate all`));
    await db.run((drizzle) =>
      drizzle.transaction((tx) => tx.execute(sql`insert into written values (${x})`)),
    );
  }
  expect(await db.execute("select x from written order by x", [])).toEqual([{ x: 1 }, { x: 2 }]);
  await db.close();
});
