import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { ConnectionError } from "./connection-error.js";
import { openDriver } from "./driver.js";
import { observeStatements, type StatementObserver } from "./observe-statements.js";
import * as schema from "../schema/index.js";
import type { ReadPassword } from "./password-source.js";
import { limitTime, type RunningStatements } from "./time-limits.js";

export type Drizzle = PostgresJsDatabase<typeof schema>;

export interface DatabaseOptions {
  url: string;
  /** Gets the password of each new connection. @default that of the URL */
  readPassword?: ReadPassword | undefined;
  poolSize: number;
  /** The time limit of a statement. PostgreSQL cancels it then. */
  timeoutMs: number;
  /** False sends unnamed statements only. @default true */
  prepared?: boolean;
  /** Follows every statement. @default none */
  observer?: StatementObserver | undefined;
}

/** Connections to PostgreSQL: for statements as text, and for queries that drizzle builds. */
export interface Pool {
  sql: Sql;
  db: Drizzle;
  running: RunningStatements;
  /** Finds the failure of a connection in an error or its causes. @returns undefined for the failure of a statement */
  connectionErrorOf(error: unknown): ConnectionError | undefined;
}

/** Connects on first use, so this does not throw for a URL that the settings accept. */
export function connect(options: DatabaseOptions): Pool {
  const { sql, connectionErrorOf } = openDriver(options.url, {
    max: options.poolSize,
    connectTimeoutMs: options.timeoutMs,
    readPassword: options.readPassword,
    // Notices are not logged, because they may contain a customer's data.
    onnotice: () => undefined,
    // Seconds between two attempts to connect. The default grows to a minute, and would keep the service down after the database
    // is back.
    backoff: () => 0.5,
    prepare: options.prepared ?? true,
    // A pooler refuses other startup parameters, and does not keep what a session sets.
    connection: { application_name: "stowage" },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: safeInteger } },
  });
  const running = limitTime(sql, options.timeoutMs);
  if (options.observer) observeStatements(sql, options.observer);
  return { sql, db: drizzle(sql, { schema }), running, connectionErrorOf };
}

/** Sizes are bigint in PostgreSQL and numbers in JavaScript. They are exact up to 9 PB; larger values throw. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("the database returned a bigint above 2^53");
  return value;
}
