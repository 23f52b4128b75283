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
 * Fills a migrated database with made-up projects, tenants and files, as if they had come over four hundred days, ever
 * faster. The first project has half of everything. All counters are the sums over the files. The bytes of the
 * files are nowhere, so nothing is due to be looked at in storage; no key opens a seeded project until it is given a new one.
 *
 * @param sql a client of one connection
 * @param say gets a line after each step
 * @throws {Error} for a database that has projects, unless `add` is set
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

/** What PostgreSQL's own autovacuum would have done by the time that a database had grown to this. */
async function analyze({ sql }: Seeding): Promise<void> {
  await sql`vacuum (analyze)`;
}
