import { and, eq, ne } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { operators, operatorSessions, operatorVerifications } from "#db/schema/index.js";

/**
 * Deletes the sessions of an operator, and their sign-ins in which the password was accepted and the code is still missing. Each
 * request reads its session from the database, so this takes effect at the next request on every replica.
 *
 * @param options.except the id of a session that stays
 * @returns the number of deleted sessions
 */
export async function deleteSessions(
  tx: Transaction,
  operatorId: string,
  { except }: { except?: string | undefined } = {},
): Promise<number> {
  await lockOperator(tx, operatorId);
  const isOther = except === undefined ? undefined : ne(operatorSessions.id, except);
  const deleted = await tx
    .delete(operatorSessions)
    .where(and(eq(operatorSessions.operatorId, operatorId), isOther))
    .returning({ id: operatorSessions.id });
  await tx.delete(operatorVerifications).where(eq(operatorVerifications.value, operatorId));
  return deleted.length;
}

/** Call it before the sessions of an operator are deleted: two calls at the same time would lock them in different orders. */
export async function lockOperator(tx: Transaction, operatorId: string): Promise<void> {
  await tx
    .select({ id: operators.id })
    .from(operators)
    .where(eq(operators.id, operatorId))
    .for("no key update");
}
