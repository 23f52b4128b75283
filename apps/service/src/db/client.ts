import { StowageError } from "@stowage/schemas";
import { type SQL, sql } from "drizzle-orm";
import { createConcurrencyLimit, DeadlineExceededError, QueueFullError } from "./concurrency-limit.js";
import { connect, type DatabaseOptions, type Drizzle, type Pool } from "./connect.js";
import { createRunStatement, type Parameter, type PreparedStatementOptions } from "./prepared-statements.js";
import { isUnavailable } from "./unavailable.js";

export type { Drizzle, Parameter };
export type Transaction = Parameters<Parameters<Drizzle["transaction"]>[0]>[0];

/** The only access to PostgreSQL. Every call has a deadline, and throws `unavailable` if the database does not answer. */
export interface Database {
  /** Runs queries that drizzle builds. Several queries need a transaction to take effect together. */
  run<T>(run: (db: Drizzle) => Promise<T>): Promise<T>;
  /** Runs one prepared statement. For frequent statements, where the cost of drizzle would be noticeable. */
  execute<Row>(statement: string, parameters: Parameter[]): Promise<Row[]>;
  close(): Promise<void>;
}

/**
 * The part that most verbs need. A transaction can take its place, so that several verbs run in one transaction: {@link
 * inTransaction}.
 */
export type Queries = Pick<Database, "run" | "execute">;

/**
 * Runs `work` in one transaction. Verbs that get its `queries` belong to the transaction too.
 *
 * @throws any error of `work`, after a rollback; {@link StowageError} `unavailable`
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
      ...((await tx.execute(toDrizzleSql(statement, parameters))) as Iterable<Row>),
    ],
  };
}

/** Converts a statement with `$1`, `$2`, … for drizzle, which numbers parameters itself. */
function toDrizzleSql(statement: string, parameters: Parameter[]): SQL {
  // The odd pieces are the numbers of the parameters.
  const pieces = statement.split(/\$(\d+)/);
  return sql.join(
    pieces.map((piece, index) =>
      index % 2 === 0 ? sql.raw(piece) : sql.param(parameters[Number(piece) - 1]),
    ),
  );
}

/** A transaction builds the same queries as a connection. Only `$client` is missing, which no verb uses. */
function asDrizzle(tx: Transaction): Drizzle {
  return tx as unknown as Drizzle;
}

const RETRY_AFTER_SECONDS = 2;
/** Further calls could not be served before their deadline. */
const MAX_QUEUED_CALLS_PER_CONNECTION = 50;
/** How long the client waits for the end of a statement that reached its time limit. A working server ends it sooner. */
const GRACE_MS = 500;

/** Connects on first use, so this does not throw. If the database does not answer, the first query throws `unavailable`. */
export function openDatabase(options: DatabaseOptions & PreparedStatementOptions): Database {
  // The driver has a queue too, but a query cannot be removed from it and would run after its caller has given up.
  const limit = createConcurrencyLimit(options.poolSize, options.poolSize * MAX_QUEUED_CALLS_PER_CONNECTION);
  const timeoutMs = options.timeoutMs + GRACE_MS;
  const runStatement = createRunStatement(options);
  let pool = connect(options);

  async function withDeadline<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
    try {
      return await limit.run(() => runOnPool(work), timeoutMs);
    } catch (error) {
      const isOverloaded = error instanceof DeadlineExceededError || error instanceof QueueFullError;
      throw isOverloaded || isUnavailable(error) ? unavailable(error) : error;
    }
  }

  async function runOnPool<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
    const used = pool;
    const timer = setTimeout(() => {
      // The server did not end the statement in time, so its connections are dead. New connections may work.
      if (used === pool) pool = connect(options);
      used.running.cancelAll();
      void used.sql.end({ timeout: 0 }).catch(() => undefined);
    }, timeoutMs);
    try {
      return await work(used);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    run: (run) => withDeadline(({ db }) => run(db)),
    execute: <Row>(statement: string, parameters: Parameter[]) =>
      withDeadline(({ sql }) => runStatement<Row>(sql, statement, parameters)),
    close: () => pool.sql.end({ timeout: 5 }),
  };
}

function unavailable(cause: unknown): StowageError {
  return new StowageError("unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
