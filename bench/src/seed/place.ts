import type { Sql } from "postgres";
import type { SeedOptions } from "./size.js";

/** What each step of a seeding works with. */
export interface Seeding extends SeedOptions, Place {
  sql: Sql;
}

/** The last ids that are taken: a seeded row's id is its own number beyond them. */
export interface Place {
  lastProject: number;
  lastTenant: number;
  lastFile: number;
}

/** @throws {Error} when there are projects, and nobody said that they may be added to */
export async function findPlace(sql: Sql, { add }: { add: boolean }): Promise<Place> {
  const [taken] = await sql<Place[]>`
    select (select coalesce(max(id), 0) from projects)::float8 as "lastProject",
           (select coalesce(max(id), 0) from tenants)::float8 as "lastTenant",
           (select coalesce(max(id), 0) from files)::float8 as "lastFile"`;
  if (taken!.lastProject > 0 && !add)
    throw new Error("This database has projects. Name an empty one, or say --add to add to it.");
  return taken!;
}

/** Moves a table's sequence past the ids that were given out by hand. */
export async function passIds(sql: Sql, table: "projects" | "tenants" | "files"): Promise<void> {
  await sql.unsafe(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
}

/** Statements stay this small, however many files there shall be. */
const BATCH = 100_000;

/** Calls `step` with the numbers from 1 to `count`, some at a time. */
export async function inBatches(
  count: number,
  step: (first: number, last: number) => Promise<unknown>,
): Promise<void> {
  for (let first = 1; first <= count; first += BATCH) await step(first, Math.min(first + BATCH - 1, count));
}
