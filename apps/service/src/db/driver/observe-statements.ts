import type { Sql, TransactionSql } from "postgres";

/** Follows the statements of a client, for example to trace them. */
export interface StatementObserver {
  /**
   * A statement is sent.
   *
   * @param text the statement with `$1`, `$2`, … for its values
   * @returns a function to call when the statement has ended, with its error if it failed; undefined to follow it no further
   */
  onStatement(text: string): ((error?: unknown) => void) | undefined;
  /** Runs a transaction, from before its BEGIN until after its COMMIT. */
  onTransaction<T>(run: () => Promise<T>): Promise<T>;
}

type Begin = (work: (tx: TransactionSql) => unknown) => Promise<unknown>;

/** Tells an observer of every `sql.unsafe` and `sql.begin`, which drizzle uses too. It does not see `` sql`…` ``. */
export function observeStatements(sql: Sql, observer: StatementObserver): void {
  const begin = sql.begin as Begin;
  const observedBegin: Begin = (work) =>
    observer.onTransaction(() =>
      begin((tx) => {
        observeUnsafe(tx, observer);
        return work(tx);
      }),
    );
  observeUnsafe(sql, observer);
  Object.assign(sql, { begin: observedBegin });
}

function observeUnsafe(sql: Pick<Sql, "unsafe">, observer: StatementObserver): void {
  const unsafe = sql.unsafe;
  Object.assign(sql, {
    unsafe(...args: Parameters<typeof unsafe>) {
      const query = unsafe(...args);
      const onEnd = observer.onStatement(args[0]);
      // The driver's own `then` would send the statement before its caller has finished building it.
      if (onEnd) void Promise.prototype.then.call(query, () => onEnd(), onEnd);
      return query;
    },
  });
}
