import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Sql } from "postgres";
import { migrationsDir } from "#paths.js";
import { distribute, distributeNewTables, isDistributed, requireCitus } from "./citus/distribute.js";
import { openDriver } from "./driver.js";

/** The key of the advisory lock: ASCII "stow". No other program on this database may use it. */
const LOCK_KEY = 0x73746f77;
const LOCK_TIMEOUT = "2min";
/** A replica that hangs while it migrates must not hold the lock forever. */
const IDLE_TIMEOUT = "1min";

/** The same table as drizzle-kit's, in the format of its migrator. */
const TABLE = "drizzle.__drizzle_migrations";

/** The schema is older than this version. The message is one sentence for the person who starts the program. */
export class SchemaOutdatedError extends Error {
  override readonly name = "SchemaOutdatedError";
}

/**
 * Migrates the database to this version's schema. If several replicas start at the same time, one migrates while the others wait,
 * and then find nothing to do. The lock belongs to the transaction, so this works behind a pooler and leaves nothing behind. In a
 * database that Citus distributes, new tables are distributed too.
 *
 * @param options.citus distributes a database that is not distributed yet. @default false
 * @throws {NotDistributableError} with `citus`, if the database has no Citus
 * @throws {ConnectionError} if the database cannot be reached
 * @throws {SchemaOutdatedError} if the user may not change the schema
 * @throws the driver's error if a migration fails; a failed migration is rolled back
 */
export async function migrate(
  url: string,
  connectTimeoutMs: number,
  { citus = false }: { citus?: boolean } = {},
): Promise<void> {
  await withConnection(url, connectTimeoutMs, async (sql) => {
    if (citus) await requireCitus(sql);
    const pending = await readPending(sql);
    // A role that may not change the schema can start the service when there is nothing to change.
    if (!citus && pending.length === 0) return;
    const migration = sql.begin("isolation level read committed", async (tx) => {
      await tx.unsafe(
        `select set_config('lock_timeout', '${LOCK_TIMEOUT}', true),
                set_config('statement_timeout', '0', true),
                set_config('idle_in_transaction_session_timeout', '${IDLE_TIMEOUT}', true)`,
      );
      await tx.unsafe(`select pg_advisory_xact_lock(${LOCK_KEY})`);
      await tx.unsafe(`create schema if not exists drizzle`);
      await tx.unsafe(
        `create table if not exists ${TABLE} (id serial primary key, hash text not null, created_at bigint)`,
      );
      // Reads again: another replica may have migrated while this one waited for the lock.
      for (const { statements, hash, createdAt } of await readPending(tx)) {
        for (const statement of statements) {
          await tx.unsafe(statement);
          if (CREATES_TABLE.test(statement)) await distributeNewTables(tx);
        }
        await tx.unsafe(`insert into ${TABLE} (hash, created_at) values ('${hash}', ${createdAt})`);
      }
      if (citus || (await isDistributed(tx))) await distribute(tx);
    });
    await migration.catch((error: unknown) => {
      const { code } = error as { code?: unknown };
      if (code !== INSUFFICIENT_PRIVILEGE || pending.length === 0) throw error;
      throw new SchemaOutdatedError(
        `${describePending(pending)}, and the user ${sql.options.user} may not change it. ` +
          "Run stowage migrate with the owner's URL in MIGRATION_DATABASE_URL.",
      );
    });
  });
}

/** PostgreSQL documentation, appendix A. */
const INSUFFICIENT_PRIVILEGE = "42501";

function describePending(pending: Migration[]): string {
  return `The database's schema is older than this version and lacks ${pending.map(({ name }) => name).join(", ")}`;
}

const CREATES_TABLE = /\bcreate table\b/i;

/**
 * Checks that the database has this version's schema or a newer one. It changes nothing.
 *
 * @throws {SchemaOutdatedError} if migrations are missing; the message names them
 * @throws {ConnectionError} if the database cannot be reached
 */
export async function requireCurrentSchema(url: string, connectTimeoutMs: number): Promise<void> {
  await withConnection(url, connectTimeoutMs, async (sql) => {
    const pending = await readPending(sql);
    if (pending.length > 0)
      throw new SchemaOutdatedError(`${describePending(pending)}. Run stowage migrate.`);
  });
}

async function withConnection(
  url: string,
  connectTimeoutMs: number,
  work: (sql: Sql) => Promise<void>,
): Promise<void> {
  const { sql, connectionErrorOf } = openDriver(url, {
    max: 1,
    connectTimeoutMs,
    onnotice: () => undefined,
    prepare: false,
    connection: { application_name: "stowage-migrate" },
  });
  try {
    await work(sql);
  } catch (error) {
    throw connectionErrorOf(error) ?? error;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

interface Migration {
  name: string;
  statements: string[];
  hash: string;
  /** Milliseconds since 1970. The migrations are in this order. */
  createdAt: number;
}

/** The migrations of this version that the database lacks, oldest first. */
async function readPending(sql: Pick<Sql, "unsafe">): Promise<Migration[]> {
  const [table] = await sql.unsafe<{ name: string | null }[]>(`select to_regclass('${TABLE}') as name`);
  if (!table?.name) return readMigrations();
  const [last] = await sql.unsafe<{ created_at: string | null }[]>(
    `select max(created_at) as created_at from ${TABLE}`,
  );
  return readMigrations().filter(({ createdAt }) => createdAt > Number(last?.created_at ?? 0));
}

function readMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(join(migrationsDir, "meta", "_journal.json"), "utf8")) as {
    entries: { tag: string }[];
  };
  // drizzle reads the same journal, so the order is the same.
  return readMigrationFiles({ migrationsFolder: migrationsDir }).map(
    ({ sql, hash, folderMillis }, index) => ({
      name: journal.entries[index]!.tag,
      statements: sql,
      hash,
      createdAt: folderMillis,
    }),
  );
}
