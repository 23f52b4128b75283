import { DashboardError } from "@stowage/schemas/dashboard";
import { and, eq, gt } from "drizzle-orm";
import type { Drizzle, Transaction } from "#db/client.js";
import { operators, passwordResets } from "#db/schema/index.js";
import { hashToken } from "./one-time-token.js";

/**
 * Whose password the link of a token may change.
 *
 * @throws {DashboardError} `reset_refused` for a token that is wrong, old, used or replaced
 */
export async function findPasswordReset(
  db: Drizzle | Transaction,
  token: string,
  now: Date,
): Promise<{ id: string; email: string }> {
  // Found by its hash: the time of a look-up in an index tells nothing about the token.
  const [found] = await db
    .select({ id: operators.id, email: operators.email })
    .from(passwordResets)
    .innerJoin(operators, eq(operators.id, passwordResets.operatorId))
    .where(and(eq(passwordResets.tokenHash, hashToken(token)), gt(passwordResets.expiresAt, now)));
  if (!found) throw new DashboardError("reset_refused");
  return found;
}
