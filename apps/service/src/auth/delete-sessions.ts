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
  // Two calls at the same time would otherwise lock the sessions in different orders.
  await tx
    .select({ id: operators.id })
    .from(operators)
    .where(eq(operators.id, operatorId))
    .for("no key update");
  const isOther = except === undefined ? undefined : ne(operatorSessions.id, except);
  const deleted = await tx
    .delete(operatorSessions)
    .where(and(eq(operatorSessions.operatorId, operatorId), isOther))
    .returning({ id: operatorSessions.id });
  await tx.delete(operatorVerifications).where(eq(operatorVerifications.value, operatorId));
  return deleted.length;
}
