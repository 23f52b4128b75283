import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { migrationsDir } from "#paths.js";

/** The key of the advisory lock: ASCII "stow". No other program on this database may use it. */
const LOCK_KEY = 0x73746f77;
const LOCK_TIMEOUT = "2min";

/**
 * Migrates the database to this version's schema. If several replicas start at the same time, one migrates while the others wait,
 * and then find nothing to do.
 *
 * @throws the driver's error if the database cannot be reached or a migration fails; a failed migration is rolled back
 */
export async function migrate(url: string, connectTimeoutMs: number): Promise<void> {
  // A single connection: an advisory lock belongs to its connection and ends with it.
  const sql = postgres(url, {
    max: 1,
    connect_timeout: Math.ceil(connectTimeoutMs / 1000),
    onnotice: () => undefined,
    connection: { application_name: "stowage-migrate", lock_timeout: LOCK_TIMEOUT as never },
  });
  try {
    await sql`select pg_advisory_lock(${LOCK_KEY})`;
    await runMigrations(drizzle(sql), { migrationsFolder: migrationsDir });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
