import type { Sql } from "postgres";
import type { SeedOptions } from "./size.js";

/** The input of each step. */
export interface Seeding extends SeedOptions, Place {
  sql: Sql;
}

/** The highest ids in use. A seeded row gets its number plus this id. */
export interface Place {
  lastProject: number;
  lastTenant: number;
  lastFile: number;
}

/** @throws {Error} if the database has projects and `add` is not set */
export async function findPlace(sql: Sql, { add }: { add: boolean }): Promise<Place> {
  const [taken] = await sql<Place[]>`
    select (select coalesce(max(id), 0) from projects)::float8 as "lastProject",
           (select coalesce(max(id), 0) from tenants)::float8 as "lastTenant",
           (select coalesce(max(id), 0) from files)::float8 as "lastFile"`;
  if (taken!.lastProject > 0 && !add)
    throw new Error("This database has projects. Name an empty database, or use --add.");
  return taken!;
}

/** Moves a table's sequence past the ids that were set explicitly. */
export async function passIds(sql: Sql, table: "projects" | "tenants" | "files"): Promise<void> {
  await sql.unsafe(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
}

/** Rows per statement. */
const BATCH = 100_000;

/** Calls `step` with consecutive ranges of the numbers from 1 to `count`. */
export async function inBatches(
  count: number,
  step: (first: number, last: number) => Promise<unknown>,
): Promise<void> {
  for (let first = 1; first <= count; first += BATCH) await step(first, Math.min(first + BATCH - 1, count));
}
