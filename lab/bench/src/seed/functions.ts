import type { Seeding } from "./place.js";

/**
 * Creates the SQL functions of the steps in a schema that ends with the connection. Each result depends only on the row's number and
 * the seed, through PostgreSQL's hash, so every run gives the same rows.
 *
 * - `chance(n, salt)`: a number from 0 to just below 1
 * - `ref(kind, id)`: a reference of 22 characters
 * - `at(share)`: the time by which this share of all files existed
 * - `group_of(n)`: 1 for the first project's tenants, 2 for all others; `group_size(g)`: the number of tenants in the group
 * - `project_of(n)`: the project of tenant number n
 */
export async function makeFunctions(seeding: Seeding): Promise<void> {
  const { sql, seed, until, projects, tenants, lastProject } = seeding;
  const half = Math.floor(tenants / 2);
  await sql.unsafe(`
    create or replace function pg_temp.chance(n bigint, salt int) returns float8 immutable language sql as
      $$ select (hashint8extended(n, ${seed} * 1000 + salt) & 9007199254740991) / 9007199254740992.0::float8 $$;
    create or replace function pg_temp.ref(kind text, id bigint) returns text stable language sql as
      $$ select left(md5('${seed}' || kind || id), 22) $$;
    create or replace function pg_temp.at(share float8) returns timestamptz stable language sql as
      $$ select '${until.toISOString()}'::timestamptz - interval '${SPAN_DAYS * 86_400} seconds' * power(1 - share, 1.5) $$;
    create or replace function pg_temp.group_of(n bigint) returns int immutable language sql as
      $$ select case when n <= ${half} then 1 else 2 end $$;
    create or replace function pg_temp.group_size(g int) returns bigint immutable language sql as
      $$ select case g when 1 then ${half} else ${tenants - half} end::bigint $$;
    create or replace function pg_temp.project_of(n bigint) returns bigint immutable language sql as
      $$ select ${lastProject} + case when n <= ${half} then 1
                else 2 + floor(power(pg_temp.chance(n, 1), 2) * ${projects - 1})::bigint end $$;`);
}

/** The days from the first tenant to the newest file. */
export const SPAN_DAYS = 400;
/** The share of a project's tenants that exist from the start. The others appear as its files do. */
export const FIRST_TENANTS = 0.1;
