import { getTableName } from "drizzle-orm";
import type { Queries } from "../client.js";
import { KEPT_PLANS } from "./distribute.js";
import { distributedFunctions, distributedTables, referenceTables } from "./placement.js";

/** How a database is spread over machines. */
export interface Distribution {
  /** Such as `15.20`. */
  postgresVersion: string;
  /** Such as `UTF8`. */
  encoding: string;
  /** Null without the extension. */
  citus: CitusDistribution | null;
}

export interface CitusDistribution {
  /** Nodes that hold shards. */
  workers: number;
  /** Shards of each distributed table. */
  shards: number;
  /** The names of the tables that are split by project. */
  distributed: string[];
  /** The tables and functions of this version that are not where they should be, or keep their plans. */
  missing: string[];
  /** The highest number of a group of nodes. Ids that its nodes assign start at 2^48 times this number. */
  highestGroup: number;
}

/** @throws {StowageError} `unavailable` */
export async function readDistribution({ db }: { db: Queries }): Promise<Distribution> {
  const [server] = await db.execute<{ version: string; encoding: string; hasCitus: boolean }>(
    READ_SERVER,
    [],
  );
  const { version, encoding, hasCitus } = server!;
  const postgresVersion = version.split(" ")[0]!;
  if (!hasCitus) return { postgresVersion, encoding, citus: null };
  const [nodes] = await db.execute<{ workers: number; highestGroup: number }>(READ_NODES, []);
  const tables = await db.execute<{ name: string; type: string; shards: number }>(READ_TABLES, []);
  const functions = await db.execute<{ name: string }>(READ_FUNCTIONS, []);
  const namesOf = (type: string) => tables.filter((table) => table.type === type).map(({ name }) => name);
  const isMissing = (there: string[]) => (name: string) => !there.includes(name);
  const distributed = namesOf("distributed");
  const existing = await db.execute<{ name: string }>(READ_EXISTING_FUNCTIONS, [
    JSON.stringify(distributedFunctions),
  ]);
  return {
    postgresVersion,
    encoding,
    citus: {
      ...nodes!,
      shards: Math.max(0, ...tables.map(({ shards }) => shards)),
      distributed,
      missing: [
        ...referenceTables.map(getTableName).filter(isMissing(namesOf("reference"))),
        ...distributedTables.map(getTableName).filter(isMissing(distributed)),
        ...existing.map(({ name }) => name).filter(isMissing(functions.map(({ name }) => name))),
      ],
    },
  };
}

const READ_SERVER = `
select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
       exists (select from pg_extension where extname = 'citus') as "hasCitus"`;

const READ_NODES = `
select (count(*) filter (where shouldhaveshards))::int as workers, coalesce(max(groupid), 0)::int as "highestGroup"
from pg_dist_node where noderole = 'primary' and isactive`;

const READ_TABLES = `
select table_name::text as name, citus_table_type as type, shard_count::int as shards from citus_tables`;

const READ_FUNCTIONS = `
select proname as name from pg_proc
join pg_dist_object on objid = pg_proc.oid and classid = 'pg_proc'::regclass and distribution_argument_index is not null
where not coalesce('${KEPT_PLANS}' = any (proconfig), false)`;

const READ_EXISTING_FUNCTIONS = `
select name from json_array_elements_text($1::text::json) as t (name)
where exists (select from pg_proc where proname = name and pronamespace = current_schema()::regnamespace)`;
