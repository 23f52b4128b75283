import { StowageError } from "@stowage/schemas";
import { type SQL, sql } from "drizzle-orm";
import { connect, type DatabaseOptions, type Drizzle, type Pool } from "./driver/connect.js";
import { limitWorkingTime, startStopwatch } from "#lib/working-time.js";
import { tookTooLong } from "./driver/time-limits.js";
import type { Batching } from "./traffic/batches.js";
import {
  createFairQueue,
  DeadlineExceededError,
  OwnerBoundError,
  QueueFullError,
} from "./traffic/fair-queue.js";
import { GRACE_MS, RETRY_AFTER_OWN_BOUND_SECONDS, RETRY_AFTER_SECONDS } from "./traffic/limits.js";
import { type Lane, lanes, limitsOf } from "./traffic/lanes.js";
import {
  createRunStatement,
  type Parameter,
  type PreparedStatementOptions,
  type RunStatement,
} from "./driver/prepared-statements.js";
import type { StatementObserver } from "./driver/observe-statements.js";
import { createRefusalReporter, type RefusalReport } from "./traffic/report-refusals.js";
import { findErrorCode, isLockTimeout, isUnavailable } from "./driver/unavailable.js";

export type { Drizzle, Lane, Parameter };
export type Transaction = Parameters<Parameters<Drizzle["transaction"]>[0]>[0];

/**
 * Queries of one owner in one lane. A transaction can take its place, so that several verbs run in one transaction: {@link
 * inTransaction}. Every call has a deadline.
 *
 * @throws {StowageError} from every call: `unavailable` if the database does not answer or its lane is full; `too_many_requests` if
 * the owner has more statements than its share of the lane
 */
export interface Queries {
  /** Runs queries that drizzle builds. Several queries need a transaction to take effect together. */
  run<T>(run: (db: Drizzle) => Promise<T>): Promise<T>;
  /** Runs one prepared statement. For frequent statements, where the cost of drizzle would be noticeable. */
  execute<Row>(statement: string, parameters: Parameter[]): Promise<Row[]>;
}

/** The only access to PostgreSQL. Its own queries run in the lane `work`: the queries of jobs and of the command line. */
export interface Database extends Queries {
  /**
   * Queries in a lane. The owners of a lane are served fairly.
   *
   * @param owner who causes the queries, such as a project's id or a client's address
   */
  lane(lane: Lane, owner: string): Queries;
  /**
   * Creates a kind of calls that share statements in a lane: calls that wait together are carried out together. The owners of a lane are
   * served fairly, whether their calls share statements or not.
   *
   * @returns a function for one call: see {@link Queries} for what it throws beside the errors of `run`
   */
  batch<Input, Output>(
    lane: Lane,
    batch: Batch<Input, Output>,
  ): (owner: string, input: Input) => Promise<Output>;
  /**
   * Opens the connections of all lanes, so that no request waits for them. A connection that cannot be opened now is opened by the
   * first statement that needs it. Never throws.
   *
   * @returns how many of the connections lead to a standby
   */
  warmUp(): Promise<number>;
  /** Whether a statement of the last 30 seconds failed because the database's disk is full. */
  isDiskFull(): boolean;
  /** The lanes that this process has used. */
  load(): LaneLoad[];
  /** The calls of these lanes that were not run, or failed because the database did not answer, since the start. */
  refused(): LaneRefusals[];
  close(): Promise<void>;
}

export interface Batch<Input, Output> extends Omit<Batching<Input, Output>, "run"> {
  /**
   * Carries out calls of one owner, or of several, by one statement of `queries`, so that it has no effect if it fails.
   *
   * @returns one output for each input, in the same order
   */
  run(queries: Queries, inputs: Input[]): Promise<Output[]>;
}

/** How busy the connections of a lane are now, in this process. */
export interface LaneLoad {
  lane: Lane;
  connections: number;
  /** Statements that run now. */
  running: number;
  /** Calls that wait for a connection. */
  waiting: number;
}

/** Why a lane gave no answer: its owner or all owners had too much waiting, the time was over, or the database did not answer. */
export type LaneRefusalReason = "owner_bound" | "queue_full" | "deadline" | "unavailable";

export interface LaneRefusals {
  lane: Lane;
  counts: Readonly<Record<LaneRefusalReason, number>>;
}

/** The same dependencies with the queries of a lane. */
export function inLane<Deps extends { db: Database }>(
  deps: Deps,
  lane: Lane,
  owner: string | number,
): Omit<Deps, "db"> & { db: Queries } {
  return { ...deps, db: deps.db.lane(lane, String(owner)) };
}

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

/** SQLSTATE `disk_full`. */
const DISK_FULL = "53100";
const REMEMBER_DISK_FULL_MS = 30_000;

export interface OpenDatabaseOptions extends Omit<DatabaseOptions, "observer">, PreparedStatementOptions {
  /** Creates what follows the statements of a lane. @default none */
  observe?: ((lane: Lane) => StatementObserver) | undefined;
  /** Called with the reason of refused calls, at most once in ten seconds for each lane and reason. @default not called */
  onRefused?: ((report: { lane: Lane } & RefusalReport) => void) | undefined;
}

/** Connects on first use, so this does not throw. If the database does not answer, the first query throws `unavailable`. */
export function openDatabase(options: OpenDatabaseOptions): Database {
  const opened = new Map<Lane, OpenLane>();
  const runStatement = createRunStatement(options);
  const find = (name: Lane): OpenLane => {
    const known = opened.get(name);
    if (known) return known;
    const lane = openLane(name, options, runStatement);
    opened.set(name, lane);
    return lane;
  };
  const lane = (name: Lane, owner: string): Queries => ({
    run: (run) => find(name).run(owner, run),
    execute: <Row>(statement: string, parameters: Parameter[]) =>
      find(name).execute<Row>(owner, statement, parameters),
  });
  return {
    ...lane("work", "service"),
    lane,
    batch<Input, Output>(name: Lane, batch: Batch<Input, Output>) {
      let call: ((owner: string, input: Input) => Promise<Output>) | undefined;
      return (owner: string, input: Input) => (call ??= find(name).batch(batch))(owner, input);
    },
    warmUp: async () => sum(await Promise.all(lanes.map((name) => find(name).warmUp()))),
    isDiskFull: () => [...opened.values()].some((each) => each.isDiskFull()),
    load: () => [...opened].map(([lane, { load }]) => ({ lane, ...load() })),
    refused: () => [...opened].map(([lane, { refused }]) => ({ lane, counts: refused })),
    close: async () => void (await Promise.all([...opened.values()].map(({ close }) => close()))),
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

interface OpenLane {
  warmUp(): Promise<number>;
  run<T>(owner: string, run: (db: Drizzle) => Promise<T>): Promise<T>;
  execute<Row>(owner: string, statement: string, parameters: Parameter[]): Promise<Row[]>;
  batch<Input, Output>(batch: Batch<Input, Output>): (owner: string, input: Input) => Promise<Output>;
  isDiskFull(): boolean;
  load(): Omit<LaneLoad, "lane">;
  refused: LaneRefusals["counts"];
  close(): Promise<void>;
}

/** Opens a lane with its own connections. */
function openLane(name: Lane, databaseOptions: OpenDatabaseOptions, runStatement: RunStatement): OpenLane {
  const limits = limitsOf(name, databaseOptions);
  const { observe, onRefused, ...shared } = databaseOptions;
  const report = createRefusalReporter((refusals) => onRefused?.({ lane: name, ...refusals }));
  const own = { poolSize: limits.connections, timeoutMs: limits.timeoutMs, observer: observe?.(name) };
  const options = { ...shared, ...own };
  // The driver has a queue too, but a query cannot be removed from it and would run after its caller has given up.
  const queue = createFairQueue({
    ...limits,
    maxRunning: limits.connections,
    errors: {
      isBlocked: isLockTimeout,
      isTemporary: (error) => error instanceof DeadlineExceededError || isUnavailable(causeOf(error)),
    },
  });
  const timeoutMs = options.timeoutMs + GRACE_MS;
  let pool = connect(options);
  const refused: Record<LaneRefusalReason, number> = {
    owner_bound: 0,
    queue_full: 0,
    deadline: 0,
    unavailable: 0,
  };
  let diskFullAt = -Infinity;
  /** Whether the newest statement failed because the database did not answer. */
  let isFailing = false;

  const causeOf = (error: unknown): unknown => pool.connectionErrorOf(error) ?? error;
  const onPool: Queries = {
    run: (run) => runOnPool(({ db }) => run(db)),
    execute: <Row>(statement: string, parameters: Parameter[]) =>
      runOnPool(({ sql }) => runStatement<Row>(sql, statement, parameters)),
  };

  function withDeadline<T>(owner: string, work: (queries: Queries) => Promise<T>): Promise<T> {
    return answer(queue.run(owner, () => work(onPool), timeoutMs));
  }

  /** Tells the caller why there is no answer, and counts it. */
  async function answer<T>(call: Promise<T>): Promise<T> {
    const stopwatch = startStopwatch();
    try {
      return await call;
    } catch (error) {
      const cause = causeOf(error);
      const reason = refusalReasonOf(error) ?? (isUnavailable(cause) ? "unavailable" : undefined);
      if (reason === undefined) throw error;
      refused[reason]++;
      report(reason, { connections: limits.connections, ...queue.load(), ...stopwatch() });
      // While the database does not answer, statements wait because of the outage and not because of their owner.
      throw reason === "owner_bound" && !isFailing ? tooManyRequests(error) : unavailable(cause);
    }
  }

  async function runOnPool<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
    const used = pool;
    const limit = limitWorkingTime(timeoutMs, () => {
      // The server did not end the statement in time, so its connections are dead. New connections may work.
      if (used === pool) pool = connect(options);
      used.running.cancelAll();
      void used.sql.end({ timeout: 0 }).catch(() => undefined);
    });
    try {
      const result = await work(used);
      // A commit that waits for a synchronous standby cannot be canceled: PostgreSQL stops waiting and reports success. A failover
      // would lose the change, so the caller must not acknowledge it. The cancel request counts the same time as this limit.
      if (limit.elapsedMs() >= options.timeoutMs) throw tookTooLong(options.timeoutMs);
      isFailing = false;
      return result;
    } catch (error) {
      isFailing = error instanceof DeadlineExceededError || isUnavailable(error);
      if (findErrorCode(error) === DISK_FULL) diskFullAt = performance.now();
      throw error;
    } finally {
      limit.clear();
    }
  }

  return {
    warmUp: async () => {
      // The driver sends each of these statements over a connection of its own while it has opened too few.
      const connections = Array.from({ length: limits.connections }, (_, index) =>
        withDeadline(`connection ${index}`, (queries) =>
          queries.execute<{ standby: boolean }>("select pg_is_in_recovery() as standby", []),
        ),
      );
      const answers = await Promise.allSettled(connections);
      return answers.filter((answer) => answer.status === "fulfilled" && answer.value[0]?.standby).length;
    },
    run: (owner, run) => withDeadline(owner, (queries) => queries.run(run)),
    execute: <Row>(owner: string, statement: string, parameters: Parameter[]) =>
      withDeadline(owner, (queries) => queries.execute<Row>(statement, parameters)),
    batch<Input, Output>({ run, ...options }: Batch<Input, Output>) {
      const call = queue.batch({ ...options, run: (inputs: Input[]) => run(onPool, inputs) });
      return (owner: string, input: Input) => answer(call(owner, input, timeoutMs));
    },
    isDiskFull: () => performance.now() - diskFullAt < REMEMBER_DISK_FULL_MS,
    refused,
    load: () => ({ connections: limits.connections, ...queue.load() }),
    close: () => pool.sql.end({ timeout: 5 }),
  };
}

/** Why the lane's queue did not run a statement to its end; undefined if the queue is not the reason. */
function refusalReasonOf(error: unknown): LaneRefusalReason | undefined {
  if (error instanceof OwnerBoundError) return "owner_bound";
  if (error instanceof QueueFullError) return "queue_full";
  return error instanceof DeadlineExceededError ? "deadline" : undefined;
}

function unavailable(cause: unknown): StowageError {
  return new StowageError("unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}

function tooManyRequests(cause: unknown): StowageError {
  return new StowageError("too_many_requests", { retryAfterSeconds: RETRY_AFTER_OWN_BOUND_SECONDS, cause });
}
