import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import type { Caller } from "./caller.js";
import { type AuditEntry, writeAudit } from "./write-audit.js";

/** What an act gives back, and its line in the log; null when there was nothing to do. */
export interface Act<T> {
  result: T;
  entry: AuditEntry | null;
}

/**
 * Runs an operator's act and writes its line, both in one transaction.
 *
 * @param act gets deps whose queries belong to that transaction, so that it can call other verbs
 * @throws what `act` throws, and then nothing has happened
 */
export function audited<Deps extends { db: Queries; clock: () => Date }, T>(
  deps: Deps,
  caller: Caller,
  act: (deps: Omit<Deps, "db"> & { db: Queries }, tx: Transaction) => Promise<Act<T>>,
): Promise<T> {
  return inTransaction(deps.db, async (db, tx) => {
    const { result, entry } = await act({ ...deps, db }, tx);
    if (entry) await writeAudit(tx, { ...caller, at: deps.clock() }, entry);
    return result;
  });
}
