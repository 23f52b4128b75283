import type { Sql } from "postgres";

export type Parameter = string | number | boolean | null;

export interface PreparedStatementOptions {
  /** False sends unnamed statements only, for poolers that give each transaction another connection. @default true */
  prepared?: boolean;
  /** Is called at most once, when PostgreSQL did not know a statement that this process had prepared. */
  onPreparedLost?: (() => void) | undefined;
}

/** Runs one statement. PostgreSQL parses and plans it once per connection if statements are prepared. */
export type RunStatement = <Row>(sql: Sql, statement: string, parameters: Parameter[]) => Promise<Row[]>;

/** What to do about lost statements, for the log. */
export const PREPARED_LOST =
  "The connection pooler in front of PostgreSQL does not keep prepared statements. This process no longer uses them. " +
  "Set DATABASE_PREPARED=off.";

/**
 * Creates the function that runs prepared statements. When a statement is lost for the first time, it stops preparing them, so
 * PostgreSQL's log gets few errors.
 */
export function createRunStatement({
  prepared = true,
  onPreparedLost,
}: PreparedStatementOptions): RunStatement {
  let isPrepared = prepared;
  function onLost(): void {
    if (!isPrepared) return;
    isPrepared = false;
    onPreparedLost?.();
  }

  return async <Row>(sql: Sql, statement: string, parameters: Parameter[]) => {
    const query = sql.unsafe(statement, parameters, { prepare: isPrepared });
    try {
      const rows = await query;
      // The driver has already prepared and sent the statement again.
      if (isLost((query as { retried?: unknown }).retried)) onLost();
      return [...rows] as Row[];
    } catch (error) {
      if (!isLost(error)) throw error;
      // PostgreSQL did not execute the statement, or rolled it back.
      onLost();
      return [...(await sql.unsafe(statement, parameters, { prepare: false }))] as Row[];
    }
  };
}

/** SQLSTATEs: 26000 "prepared statement … does not exist", 42P05 "prepared statement … already exists". */
function isLost(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "26000" || error.code === "42P05");
}
