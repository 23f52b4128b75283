import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@stowage/dev-postgres";
import type { RowTools } from "../row.js";
import { seedCrowd } from "../seed/crowd.js";
import { connect } from "./connect.js";
import { createProject } from "./create-project.js";
import { migrateDatabase } from "./migrate-database.js";

/** The content: one project, tenants `user-0` and so on, and their files. */
export interface CrowdSize {
  tenants: number;
  files: number;
}

export interface SeededDatabase {
  url: string;
  /** The key of the only project. */
  apiKey: string;
}

/**
 * Starts PostgreSQL with default durability over a database of this size, and stops it with the row. The database is seeded on first
 * use: 10,000,000 files took 34 minutes on two shared cores.
 *
 * Each size has a folder under `BENCH_DATABASES`, by default under the system's temporary folder. Delete the folder to seed it again.
 */
export async function seededDatabase(size: CrowdSize, { atEnd, say }: RowTools): Promise<SeededDatabase> {
  const root = process.env["BENCH_DATABASES"] ?? join(tmpdir(), "stowage-bench-databases");
  const dir = join(root, `${size.tenants}-tenants-${size.files}-files`);
  // Written last: a folder without it is incomplete.
  const keyFile = join(dir, "api-key");
  const apiKey = await readFile(keyFile, "utf8").catch(() => seed(dir, keyFile, { size, say }));
  const postgres = await startPostgres({ dir });
  atEnd(() => postgres.stop());
  await migrateDatabase(postgres.url);
  return { url: postgres.url, apiKey };
}

async function seed(
  dir: string,
  keyFile: string,
  { size, say }: { size: CrowdSize; say: RowTools["say"] },
): Promise<string> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  // Only for seeding. Measurements use PostgreSQL's defaults.
  await withDatabase(dir, (url) => set(url, ["shared_buffers = '2GB'", "max_wal_size = '16GB'"]));
  const apiKey = await withDatabase(dir, async (url) => {
    await migrateDatabase(url);
    const apiKey = await createProject(url);
    const sql = connect(url);
    try {
      await seedCrowd(sql, size, say);
      // The server is killed if its last checkpoint takes longer than it has to stop, and then it recovers for minutes.
      await sql`checkpoint`;
    } finally {
      await sql.end();
    }
    return apiKey;
  });
  await withDatabase(dir, (url) => reset(url));
  await writeFile(keyFile, apiKey, { mode: 0o600 });
  return apiKey;
}

async function withDatabase<Result>(dir: string, use: (url: string) => Promise<Result>): Promise<Result> {
  const postgres = await startPostgres({ dir, durable: false });
  try {
    return await use(postgres.url);
  } finally {
    await postgres.stop();
  }
}

async function set(url: string, settings: string[]): Promise<void> {
  const sql = connect(url);
  for (const setting of settings) await sql.unsafe(`alter system set ${setting}`);
  await sql.end();
}

async function reset(url: string): Promise<void> {
  const sql = connect(url);
  await sql`alter system reset all`;
  await sql.end();
}
