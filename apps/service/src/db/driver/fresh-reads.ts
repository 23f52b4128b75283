import type { Sql, TransactionSql } from "postgres";

/**
 * Pgpool-II sends a statement that begins with this comment to the primary. By default it sends SELECTs to standbys too, which are behind:
 * a file that was just uploaded would be "not found". https://www.pgpool.net/docs/43/en/html/runtime-config-load-balancing.html
 */
const TO_THE_PRIMARY = "/*NO LOAD BALANCE*/ ";

type Unsafe = Sql["unsafe"];
type AfterText = Parameters<Unsafe> extends [string, ...infer Rest] ? Rest : never;
type Work = (tx: TransactionSql) => unknown;

/**
 * Lets Pgpool-II answer no statement from a standby. Applies to `unsafe` of the client and of its transactions, which drizzle uses too, and
 * not to `` sql`…` ``.
 */
export function keepReadsFresh(sql: Sql): void {
  const begin = sql.begin as (...options: unknown[]) => Promise<unknown>;
  mark(sql);
  Object.assign(sql, {
    begin: (...options: [...unknown[], Work]) => {
      const work = options.pop() as Work;
      return begin(...options, (tx: TransactionSql) => {
        mark(tx);
        return work(tx);
      });
    },
  });
}

function mark(sql: { unsafe: Unsafe }): void {
  const { unsafe } = sql;
  Object.assign(sql, {
    unsafe: (text: string, ...rest: AfterText) => unsafe(markedText(text), ...rest),
  });
}

/** More than the statements with a fixed text. */
const MAX_TEXTS = 500;
const texts = new Map<string, string>();

/** Keeps the frequent texts: the driver looks a prepared statement up by its text, and would have to hash a new one each time. */
function markedText(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const marked = TO_THE_PRIMARY + text;
  if (texts.size < MAX_TEXTS) texts.set(text, marked);
  return marked;
}
