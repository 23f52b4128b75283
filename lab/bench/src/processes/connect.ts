import postgres, { type Sql } from "postgres";

/** Opens a client with one connection, because seeding uses objects that belong to the connection. */
export function connect(databaseUrl: string): Sql {
  return postgres(databaseUrl, { max: 1, onnotice: () => undefined });
}
