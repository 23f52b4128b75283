import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import * as schema from "./schema/index.js";

export type Drizzle = PostgresJsDatabase<typeof schema>;

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** The time limit of a query. PostgreSQL gets it too, and cancels the query itself. */
  timeoutMs: number;
}

/** Connections to PostgreSQL: for statements as text, and for queries that drizzle builds. */
export interface Pool {
  sql: Sql;
  db: Drizzle;
}

/** Connects on first use, so this does not throw. */
export function connect(options: DatabaseOptions): Pool {
  const sql = postgres(options.url, {
    max: options.poolSize,
    connect_timeout: Math.ceil(options.timeoutMs / 1000),
    // Notices are not logged, because they may contain a customer's data.
    onnotice: () => undefined,
    // Seconds between two attempts to connect. The default grows to a minute, and would keep the service down after the database
    // is back.
    backoff: () => 0.5,
    connection: {
      application_name: "stowage",
      statement_timeout: options.timeoutMs,
      // A replica that hangs in the middle of a transaction must not hold its locks forever.
      idle_in_transaction_session_timeout: options.timeoutMs,
    },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: safeInteger } },
  });
  return { sql, db: drizzle(sql, { schema }) };
}

/** Sizes are bigint in PostgreSQL and numbers in JavaScript. They are exact up to 9 PB; larger values throw. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("the database returned a bigint above 2^53");
  return value;
}
