import postgres, { type Sql } from "postgres";

/** One connection, since what a seeding works with ends with its connection. */
export function connect(databaseUrl: string): Sql {
  return postgres(databaseUrl, { max: 1, onnotice: () => undefined });
}
