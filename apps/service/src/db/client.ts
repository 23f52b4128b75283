import { StowageError } from "@stowage/schemas";
import { type SQL, sql } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { createConcurrencyLimit, QueueFullError, DeadlineExceededError } from "./concurrency-limit.js";
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

/** All that most verbs need of it; a transaction can stand in for it, so that several verbs become one (see {@link inTransaction}). */
export type Queries = Pick<Database, "run" | "execute">;

/**
 * Runs `work` with queries that all belong to one transaction: what it does, with whatever verbs, happens whole or not at all.
 *
 * @throws what `work` throws, and then nothing has happened; {@link StowageError} `unavailable`
 */
export function inTransaction<T>(
  db: Queries,
  work: (queries: Queries, tx: Transaction) => Promise<T>,
): Promise<T> {
  return db.run((drizzle) => drizzle.transaction((tx) => work(queriesOf(tx), tx)));
}

function queriesOf(tx: Transaction): Queries {
  return {
    run: (run) => run(asDrizzle(tx)),
    execute: async <Row>(statement: string, parameters: Parameter[]) => [
      ...((await tx.execute(numbered(statement, parameters))) as Iterable<Row>),
    ],
  };
}

/** A statement with `$1`, `$2`, … as drizzle takes it, which numbers by itself. */
function numbered(statement: string, parameters: Parameter[]): SQL {
  const pieces = statement.split(/\$(\d+)/);
  return sql.join(
    pieces.map((piece, at) => (at % 2 === 0 ? sql.raw(piece) : sql.param(parameters[Number(piece) - 1]))),
  );
}

/** A transaction builds the same queries as a connection does; only `$client` is missing, and no verb has a use for it. */
function asDrizzle(tx: Transaction): Drizzle {
  return tx as unknown as Drizzle;
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** No query may take longer; also told to PostgreSQL, so that it gives up its own work. */
  timeoutMs: number;
}

const RETRY_AFTER_SECONDS = 2;
/** Waiting calls for each connection: more could not be served before their deadline. */
const LINE_PER_CONNECTION = 50;
/** Beyond PostgreSQL's own statement_timeout, so that a server that is alive ends the statement by itself. */
const GRACE_MS = 500;

/** Connects when first used. Does not throw: a database that is down makes the first query `unavailable`. */
export function openDatabase(options: DatabaseOptions): Database {
  // The line is ours and not the driver's: what waits in there cannot be taken out, and would run after its caller has left.
  const slots = createConcurrencyLimit(options.poolSize, options.poolSize * LINE_PER_CONNECTION);
  const limitMs = options.timeoutMs + GRACE_MS;
  let pool = connect(options);

  async function withDeadline<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
    try {
      return await slots.run(() => onPool(work), limitMs);
    } catch (error) {
      const isGivenUp = error instanceof DeadlineExceededError || error instanceof QueueFullError;
      throw isGivenUp || isUnavailable(error) ? unavailable(error) : error;
    }
  }

  async function onPool<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
    const used = pool;
    const timer = setTimeout(() => {
      // A server that does not even end a statement in time is not there any more: these connections are dead, and new ones may not be.
      if (used === pool) pool = connect(options);
      void used.sql.end({ timeout: 0 }).catch(() => undefined);
    }, limitMs);
    try {
      return await work(used);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    run: (run) => withDeadline(({ db }) => run(db)),
    execute: <Row>(statement: string, parameters: Parameter[]) =>
      withDeadline(
        async ({ sql }) => [...(await sql.unsafe(statement, parameters, { prepare: true }))] as Row[],
      ),
    close: () => pool.sql.end({ timeout: 5 }),
  };
}

interface Pool {
  sql: Sql;
  db: Drizzle;
}

function connect(options: DatabaseOptions): Pool {
  const sql = postgres(options.url, {
    max: options.poolSize,
    connect_timeout: Math.ceil(options.timeoutMs / 1000),
    // Nothing is logged from here: a notice or a query text may quote a customer's data.
    onnotice: () => undefined,
    // A short, steady pause: the default grows to a minute, and the service would stay down that long after the database is back.
    backoff: () => 0.5,
    connection: {
      application_name: "stowage",
      statement_timeout: options.timeoutMs,
      // A replica that freezes in the middle of a transaction must not hold its locks for ever.
      idle_in_transaction_session_timeout: options.timeoutMs,
    },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: safeInteger } },
  });
  return { sql, db: drizzle(sql, { schema }) };
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
