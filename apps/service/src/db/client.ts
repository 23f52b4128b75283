import { StowageError } from "@stowage/schemas";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { isUnavailable } from "./unavailable.js";
import * as schema from "./schema/index.js";

export type Drizzle = PostgresJsDatabase<typeof schema>;
export type Transaction = Parameters<Parameters<Drizzle["transaction"]>[0]>[0];
export type Parameter = string | number | boolean | null;

/** The one way to PostgreSQL: every call has a deadline, and an absent database is `unavailable`, whoever asks. */
export interface Database {
  /** Runs queries that drizzle builds. Give `run` a transaction to make several of them one. */
  run<T>(run: (db: Drizzle) => Promise<T>): Promise<T>;
  /** One prepared statement by its text: for the paths where drizzle's own cost would show. */
  execute<Row>(statement: string, parameters: Parameter[]): Promise<Row[]>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** No query may take longer; also told to PostgreSQL, so that it gives up its own work. */
  timeoutMs: number;
}

const RETRY_AFTER_SECONDS = 2;

/** Connects when first used. Does not throw: a database that is down makes the first query `unavailable`. */
export function openDatabase(options: DatabaseOptions): Database {
  const sql = postgres(options.url, {
    max: options.poolSize,
    connect_timeout: Math.ceil(options.timeoutMs / 1000),
    // Nothing is logged from here: a notice or a query text may quote a customer's data.
    onnotice: () => undefined,
    // A short, steady pause: the default grows to a minute, and the service would stay down that long after the database is back.
    backoff: () => 0.5,
    connection: { application_name: "stowage", statement_timeout: options.timeoutMs },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: safeInteger } },
  });
  const db = drizzle(sql, { schema });

  async function withDeadline<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unavailable("the query passed its deadline")), options.timeoutMs + 500);
    });
    try {
      return await Promise.race([work, deadline]);
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    run: (run) => withDeadline(run(db)),
    execute: <Row>(statement: string, parameters: Parameter[]) =>
      withDeadline(sql.unsafe(statement, parameters, { prepare: true }).then((rows) => [...rows] as Row[])),
    close: () => sql.end({ timeout: 5 }),
  };
}

function unavailable(cause: unknown): StowageError {
  return new StowageError("unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}

/** Sizes are bigint in PostgreSQL and numbers here: exact up to 9 PB, and loud beyond. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("a bigint beyond 2^53 came from the database");
  return value;
}
