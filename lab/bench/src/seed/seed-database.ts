import type { Sql } from "postgres";
import { seedCounters } from "./counters.js";
import { seedFiles } from "./files.js";
import { makeFunctions } from "./functions.js";
import { seedPeople } from "./people.js";
import { findPlace, type Seeding } from "./place.js";
import { seedProjects } from "./projects.js";
import { requireSize, type SeedOptions } from "./size.js";
import { seedTenants } from "./tenants.js";
import { seedUsage } from "./usage.js";

/**
 * Fills a migrated database with projects, tenants and files of the last four hundred days, at a growing rate. The first project has
 * half of them. The counters match the files. Storage contains no bytes, and no row is due for a check. No key opens a
 * seeded project until its key is replaced.
 *
 * @param sql a client with one connection
 * @param say receives a line after each step
 * @throws {Error} if the database has projects and `add` is not set
 */
export async function seedDatabase(
  sql: Sql,
  options: SeedOptions,
  say: (line: string) => void = () => undefined,
): Promise<void> {
  requireSize(options);
  await sql`set synchronous_commit = off`;
  const seeding: Seeding = { sql, ...options, ...(await findPlace(sql, options)) };
  await makeFunctions(seeding);
  const startedAt = performance.now();
  const steps: [name: string, step: (seeding: Seeding) => Promise<void>][] = [
    ["projects", seedProjects],
    ["members and audit log", seedPeople],
    ["tenants", seedTenants],
    ["files", seedFiles],
    ["counters", seedCounters],
    ["days", seedUsage],
    ["statistics", analyze],
  ];
  for (const [name, step] of steps) {
    await step(seeding);
    say(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${name}`);
  }
}

export async function isSeeded(sql: Sql): Promise<boolean> {
  const [project] = await sql`select id from projects limit 1`;
  return project !== undefined;
}

/** Does what autovacuum would have done while the database grew. */
async function analyze({ sql }: Seeding): Promise<void> {
  await sql`vacuum (analyze)`;
}
