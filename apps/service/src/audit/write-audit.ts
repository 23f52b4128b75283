import type { AuditAction } from "@stowage/operator-schemas";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { auditLog } from "#db/schema/index.js";
import type { AuditActor } from "./caller.js";

export interface AuditEntry {
  action: AuditAction;
  /** Null for an action that belongs to no project. */
  projectId: number | null;
  /** The old and new values. Must never contain a key, a token or a password. */
  details?: Record<string, string | number | boolean | null>;
}

/**
 * Runs an operator's action and writes its audit entry in the same transaction. If `run` throws, neither is kept.
 *
 * @param run gets deps whose queries belong to the transaction, so that it can call other verbs. It returns its result and the
 * entry, or a null entry if it changed nothing. An action with consequences of their own returns one entry for each.
 */
export function auditedTransaction<Deps extends { db: Queries; clock: () => Date }, T>(
  deps: Deps,
  caller: Omit<Actor, "at">,
  run: (
    deps: Omit<Deps, "db"> & { db: Queries },
    tx: Transaction,
  ) => Promise<{ result: T; entry: AuditEntry | AuditEntry[] | null }>,
): Promise<T> {
  return inTransaction(deps.db, async (db, tx) => {
    const { result, entry } = await run({ ...deps, db }, tx);
    if (entry !== null) await writeAudit(tx, { ...caller, at: deps.clock() }, entry);
    return result;
  });
}

type Actor = AuditActor & { at: Date };

export const MAX_USER_AGENT_LENGTH = 500;

/**
 * Adds entries to the audit log, with one statement. Call it in the transaction of the action, so that no action is stored without
 * its entry.
 */
export async function writeAudit(
  tx: Transaction,
  { operator, client, at }: Actor,
  entries: AuditEntry | AuditEntry[],
): Promise<void> {
  const rows = [entries].flat().map((entry) => ({
    projectId: entry.projectId,
    operatorId: operator.id,
    operatorEmail: operator.email,
    action: entry.action,
    details: entry.details ?? {},
    ipAddress: client.ipAddress,
    userAgent: client.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    at,
  }));
  if (rows.length > 0) await tx.insert(auditLog).values(rows);
}
