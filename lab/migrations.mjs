// `pnpm lab migrations`: how long a call waits for `files` while a migration adds a column, a check and an index.
// DATABASE_URL names a database with seeded files. The change is rolled back.
import postgres from "postgres";

const ROUNDS = 5;
const ADD_COLUMN = "alter table files add column measured bigint";
const CHECK_ROWS =
  "alter table files add constraint measured check (measured is null or declared_size is not null)";
const ADD_INDEX =
  "create index measured on files (next_check_at) where next_check_at is not null and measured is not null";

const connect = () => postgres(process.env.DATABASE_URL, { max: 1, onnotice: () => undefined });
const [sql, caller] = [connect(), connect()];
const [{ count, size }] = await sql`
  select count(*)::int as count, pg_size_pretty(pg_table_size('files')) as size from files`;
console.log(`${count} files, ${size}`);
const waits = [];
for (let round = 0; round < ROUNDS; round++) {
  waits.push(await waitDuringMigration());
  console.log(`a call waited ${waits.at(-1).toFixed(0)} ms`);
}
console.log(`median ${waits.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)].toFixed(0)} ms`);
await Promise.all([sql.end(), caller.end()]);

/** @returns the milliseconds of a call that begins when the migration has its first lock */
async function waitDuringMigration() {
  await sql.unsafe(`begin; ${ADD_COLUMN}`);
  const start = performance.now();
  const call = caller`select id from files limit 1`.execute();
  await sql.unsafe(`${CHECK_ROWS}; ${ADD_INDEX}; rollback`);
  await call;
  return performance.now() - start;
}
