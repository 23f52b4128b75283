import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Sql } from "postgres";
import { migrationsDir } from "#paths.js";
import { distribute, distributeNewTables, isDistributed, requireCitus } from "./citus/distribute.js";
import { type DriverOptions, openDriver } from "./driver/driver.js";
import type { ReadPassword } from "./driver/password-source.js";
import { findOutdatedFunctions, replaceFunctions, type SqlFunction } from "./sql-functions.js";

/** The key of the advisory lock: ASCII "stow". No other program on this database may use it. */
const LOCK_KEY = 0x73746f77;
const LOCK_TIMEOUT = "2min";
/** A replica that hangs while it migrates must not hold the lock forever. */
const IDLE_TIMEOUT = "1min";

/** The same table as drizzle-kit's, in the format of its migrator. */
const TABLE = "drizzle.__drizzle_migrations";

/**
 * The newest migration of the last version before 1.0, by its time in the journal. A database at this migration gets the schema of the
 * baseline by `from-0041.sql`.
 */
const BEFORE_BASELINE = 1_795_668_476_154;

/** The schema is older than this version. The message is one sentence for the person who starts the program. */
export class SchemaOutdatedError extends Error {
  override readonly name = "SchemaOutdatedError";
}

/**
 * Migrates the database to this version's schema: the missing migrations, and then the functions of `db/functions` that have another
 * text. If several replicas start at the same time, one migrates while the others wait, and then find nothing to do. The lock belongs to
 * the transaction, so this works behind a pooler and leaves nothing behind. In a database that Citus distributes, new tables and
 * functions are distributed too.
 *
 * @param options.citus distributes a database that is not distributed yet. @default false
 * @param options.readPassword gets the password. @default that of the URL
 * @throws {NotDistributableError} with `citus`, if the database has no Citus
 * @throws {ConnectionError} if the database cannot be reached
 * @throws {SchemaOutdatedError} if the user may not change the schema, or the schema is older than migration 0041
 * @throws the driver's error if a migration fails; a failed migration is rolled back
 */
export async function migrate(
  url: string,
  connectTimeoutMs: number,
  { citus = false, readPassword }: { citus?: boolean; readPassword?: ReadPassword | undefined } = {},
): Promise<void> {
  await withConnection(url, { connectTimeoutMs, readPassword }, async (sql) => {
    if (citus) await requireCitus(sql);
    const pending = await readPending(sql);
    // A role that may not change the schema can start the service when there is nothing to change.
    if (!citus && isEmpty(pending)) return;
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
      const { migrations, functions } = await readPending(tx);
      // One connection per node: Citus refuses DDL on a reference table after parallel DDL on shards.
      if (await isDistributed(tx))
        await tx`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`;
      for (const { statements, hash, createdAt } of migrations) {
        for (const statement of statements) {
          await tx.unsafe(statement);
          if (CREATES_TABLE.test(statement)) await distributeNewTables(tx);
        }
        await tx.unsafe(`insert into ${TABLE} (hash, created_at) values ('${hash}', ${createdAt})`);
      }
      await replaceFunctions(tx, functions);
      if (citus || (await isDistributed(tx))) await distribute(tx);
    });
    await migration.catch((error: unknown) => {
      const { code } = error as { code?: unknown };
      if (code !== INSUFFICIENT_PRIVILEGE || isEmpty(pending)) throw error;
      throw new SchemaOutdatedError(
        `${describePending(pending)}, and the user ${sql.options.user} may not change it. ` +
          "Run stowage migrate with the owner's URL in MIGRATION_DATABASE_URL.",
      );
    });
  });
}

/** PostgreSQL documentation, appendix A. */
const INSUFFICIENT_PRIVILEGE = "42501";

/** What a database lacks. */
interface Pending {
  migrations: Migration[];
  functions: SqlFunction[];
}

const isEmpty = ({ migrations, functions }: Pending) => migrations.length + functions.length === 0;

function describePending({ migrations, functions }: Pending): string {
  const lacks = migrations.length > 0 ? migrations : functions;
  return `The database's schema is older than this version and lacks ${lacks.map(({ name }) => name).join(", ")}`;
}

const CREATES_TABLE = /\bcreate table\b/i;

/**
 * Checks that the database has this version's schema or a newer one. It changes nothing.
 *
 * @throws {SchemaOutdatedError} if migrations or functions are missing; the message names them
 * @throws {ConnectionError} if the database cannot be reached
 */
export async function requireCurrentSchema(
  url: string,
  connectTimeoutMs: number,
  { readPassword }: { readPassword?: ReadPassword | undefined } = {},
): Promise<void> {
  await withConnection(url, { connectTimeoutMs, readPassword }, async (sql) => {
    const pending = await readPending(sql);
    if (!isEmpty(pending)) throw new SchemaOutdatedError(`${describePending(pending)}. Run stowage migrate.`);
  });
}

async function withConnection(
  url: string,
  connecting: Pick<DriverOptions, "connectTimeoutMs" | "readPassword">,
  work: (sql: Sql) => Promise<void>,
): Promise<void> {
  const { sql, connectionErrorOf } = openDriver(url, {
    max: 1,
    ...connecting,
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

/**
 * Reads what of this version the database lacks, oldest first.
 *
 * @throws {SchemaOutdatedError} if the schema is older than migration 0041
 */
async function readPending(sql: Pick<Sql, "unsafe">): Promise<Pending> {
  const migrations = readMigrations();
  const last = await readLast(sql);
  // Replicas of a newer version call its functions.
  if (last > migrations.at(-1)!.createdAt) return { migrations: [], functions: [] };
  const functions = await findOutdatedFunctions(sql);
  if (last === BEFORE_BASELINE) {
    const [baseline, ...later] = migrations as [Migration, ...Migration[]];
    return { migrations: [{ ...baseline, ...readChange("from-0041") }, ...later], functions };
  }
  if (last > 0 && last < BEFORE_BASELINE)
    throw new SchemaOutdatedError(
      "The database's schema is older than migration 0041, which is the oldest that this version can change: " +
        "run stowage migrate of the last version before 1.0 (commit 0f8b138c) first, as docs/upgrading.md says.",
    );
  return { migrations: migrations.filter(({ createdAt }) => createdAt > last), functions };
}

/** The time of the newest migration that the database has; 0 if it has none. */
async function readLast(sql: Pick<Sql, "unsafe">): Promise<number> {
  const [table] = await sql.unsafe<{ name: string | null }[]>(`select to_regclass('${TABLE}') as name`);
  if (!table?.name) return 0;
  const [last] = await sql.unsafe<{ created_at: string | null }[]>(
    `select max(created_at) as created_at from ${TABLE}`,
  );
  return Number(last?.created_at ?? 0);
}

function readChange(name: string): Pick<Migration, "name" | "statements"> {
  return { name, statements: splitStatements(readFileSync(join(migrationsDir, `${name}.sql`), "utf8")) };
}

/** One by one, because Citus sends the whole text of a query to the nodes for some kinds of DDL. No migration contains a function. */
export function splitStatements(text: string): string[] {
  const statements = text.replaceAll(/^\s*--.*$/gm, "").split(/;\s*$/m);
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
}

function readMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(join(migrationsDir, "meta", "_journal.json"), "utf8")) as {
    entries: { tag: string }[];
  };
  // drizzle reads the same journal, so the order is the same.
  return readMigrationFiles({ migrationsFolder: migrationsDir }).map(
    ({ sql, hash, folderMillis }, index) => ({
      name: journal.entries[index]!.tag,
      statements: sql.flatMap(splitStatements),
      hash,
      createdAt: folderMillis,
    }),
  );
}
