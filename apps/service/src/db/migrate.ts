import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { migrationsDir } from "#paths.js";

/** Any number that no other program on this database uses for its advisory lock; this one is ASCII "stow". */
const LOCK = 0x73746f77;
const LOCK_WAIT = "2min";

/**
 * Brings the database to this version's schema. Several replicas may start at once: the first one in works, the others
 * wait for it and then find nothing left to do.
 *
 * @throws whatever PostgreSQL says, when it cannot be reached or a migration fails; the failed one is rolled back.
 */
export async function migrate(url: string, connectTimeoutMs: number): Promise<void> {
  // One connection, since the lock belongs to it and goes with it.
  const sql = postgres(url, {
    max: 1,
    connect_timeout: Math.ceil(connectTimeoutMs / 1000),
    onnotice: () => undefined,
    connection: { application_name: "stowage-migrate", lock_timeout: LOCK_WAIT as never },
  });
  try {
    await sql`select pg_advisory_lock(${LOCK})`;
    await runMigrations(drizzle(sql), { migrationsFolder: migrationsDir });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
