import type { Seeding } from "./place.js";

/**
 * What the steps' SQL is made of, in a schema that ends with the connection. Everything follows from a row's number and the seed by
 * PostgreSQL's own hash, so it is the same each time, and no statement needs what another one chose.
 *
 * - `chance(n, salt)`: from 0 to just below 1
 * - `ref(kind, id)`: 22 characters, as refs have
 * - `at(share)`: the moment when this share of all files was there
 * - `group_of(n)` is 1 for the first project's tenants and 2 for all others, `group_size(g)` how many it has
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

/** From the first tenant to the newest file. */
export const SPAN_DAYS = 400;
/** The share of its tenants that a project has from the start; the others come as its files do. */
export const FIRST_TENANTS = 0.1;
