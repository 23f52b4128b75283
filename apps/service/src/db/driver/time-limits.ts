import { limitWorkingTime } from "#lib/working-time.js";
import { DeadlineExceededError } from "../traffic/fair-queue.js";
import type { Sql, TransactionSql } from "postgres";

/** The statements of one client that run at the moment. */
export interface RunningStatements {
  /** Asks PostgreSQL to cancel all of them. Does not wait, and never throws. */
  cancelAll(): void;
}

/** A statement of postgres.js, with members that its types leave out. */
interface Statement extends Promise<unknown> {
  /** Identifies the connection in a cancel request. Null until the statement has been sent. */
  state: unknown;
  /** Sends the cancel request on a connection of its own. */
  canceller: ((statement: Statement) => Promise<void>) | null;
}

/**
 * Limits the time of every statement of a client. PostgreSQL's `statement_timeout` is not set for the connection, because a pooler
 * refuses it or gives the connection to another client. Instead:
 *
 * - A single statement is canceled by a cancel request, which poolers forward. It then fails with SQLSTATE 57014.
 * - A transaction sets PostgreSQL's own limits for itself. So a process that hangs in the middle does not hold its locks for longer.
 *
 * Applies to `sql.unsafe` and `sql.begin`, which drizzle uses too. It does not apply to `` sql`…` ``.
 */
export function limitTime(sql: Sql, timeoutMs: number): RunningStatements {
  const running = new Set<Statement>();
  const unsafe = sql.unsafe;
  const begin = sql.begin as (work: (tx: TransactionSql) => unknown) => Promise<unknown>;

  function limitedUnsafe(...args: Parameters<typeof unsafe>) {
    const query = unsafe(...args);
    const statement = query as unknown as Statement;
    running.add(statement);
    const limit = limitWorkingTime(timeoutMs, () => cancel(statement));
    const onEnd = () => {
      limit.clear();
      running.delete(statement);
    };
    // The driver's own `then` would send the statement before its caller has finished building it.
    void Promise.prototype.then.call(query, onEnd, onEnd);
    return query;
  }

  async function limitedBegin(work: (tx: TransactionSql) => unknown): Promise<unknown> {
    const startedAt = performance.now();
    const result = await begin((tx) => {
      // Not awaited, so it takes no round trip: the driver sends it together with the first statement of `work`. If it fails,
      // the driver rolls the transaction back.
      void tx
        .unsafe(
          `select set_config('statement_timeout', '${timeoutMs}', true),
                  set_config('idle_in_transaction_session_timeout', '${timeoutMs}', true)`,
        )
        .execute();
      return work(tx);
    });
    // PostgreSQL's own limits also count the time of a blocked event loop, so it may have stopped to wait for a synchronous standby.
    if (performance.now() - startedAt >= timeoutMs) throw tookTooLong(timeoutMs);
    return result;
  }

  Object.assign(sql, { unsafe: limitedUnsafe, begin: limitedBegin });
  return { cancelAll: () => running.forEach(cancel) };
}

/** The error of a statement whose success does not count. */
export const tookTooLong = (timeoutMs: number) =>
  new DeadlineExceededError(`the statement took ${timeoutMs} ms or longer`);

/** A statement that waits for a connection has no state yet and cannot be canceled. It fails when its client is closed. */
function cancel(statement: Statement): void {
  const { canceller } = statement;
  if (!statement.state || !canceller) return;
  statement.canceller = null;
  // The driver's `cancel()` drops this promise. Its rejection, when the database is down, would end the process.
  canceller(statement).catch(() => undefined);
}
