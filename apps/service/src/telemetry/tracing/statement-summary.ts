/** What a span tells of an SQL statement. */
export interface StatementSummary {
  /** Such as `SELECT`. */
  operation: string;
  /** The first table or function that the statement names. */
  target?: string | undefined;
  isFunction: boolean;
}

/** Further statements are summarized again each time. The service has fewer, but drizzle makes new texts for lists of other lengths. */
const MAX_REMEMBERED = 1000;

/** Creates a function that summarizes statements, and remembers the summaries. */
export function createSummarize(): (statement: string) => StatementSummary {
  const remembered = new Map<string, StatementSummary>();
  return (statement) => {
    const known = remembered.get(statement);
    if (known) return known;
    const summary = summarize(statement);
    if (remembered.size < MAX_REMEMBERED) remembered.set(statement, summary);
    return summary;
  };
}

/** Functions of PostgreSQL that only unpack parameters. */
const UNPACKS = /^(unnest|jsonb?_\w+)$/;
/** Words before the table of a statement that writes. */
const WRITES = /\b(insert into|update|delete from)\s+"?(\w+)"?/i;
/** A table, or a function with its parenthesis. */
const READS = /\b(?:from|join|lateral)\s+"?(?!lateral\b)(\w+)"?\s*(\()?/gi;
const CALLS = /^\s*select\s+(\w+)\s*\(/i;

/** Finds the words by patterns, because a parser of SQL would cost more than the statement. A statement inside of parentheses counts too. */
function summarize(statement: string): StatementSummary {
  const [keyword = "OTHER"] = /[a-z]+/i.exec(statement) ?? [];
  const first = keyword.toUpperCase();
  const [, write, written] = (first === "SELECT" ? null : WRITES.exec(statement)) ?? [];
  if (write !== undefined) {
    const [operation] = write.toUpperCase().split(" ");
    return { operation: operation!, target: written, isFunction: false };
  }
  const operation = first === "WITH" ? "SELECT" : first;
  for (const [, target, parenthesis] of statement.matchAll(READS)) {
    if (!UNPACKS.test(target!)) return { operation, target, isFunction: parenthesis !== undefined };
  }
  const [, called] = CALLS.exec(statement) ?? [];
  return { operation, target: called, isFunction: called !== undefined };
}
