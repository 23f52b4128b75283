import { eq } from "drizzle-orm";
import { writeAudit } from "#audit/write-audit.js";
import { inTransaction, type Queries } from "#db/client.js";
import { operators, operatorTwoFactors } from "#db/schema/index.js";
import { fromCommandLine, requireOperator } from "./require-operator.js";

/**
 * Lets an operator who lost the authenticator app and its backup codes sign in by password alone. For the command line.
 *
 * @throws {StowageError} `not_found` for an e-mail address that nobody has; `unavailable`
 */
export function removeTwoFactor(
  deps: { db: Queries; clock: () => Date },
  email: string,
): Promise<{ email: string }> {
  return inTransaction(deps.db, async (_, tx) => {
    const operator = await requireOperator(tx, email);
    const at = deps.clock();
    await tx.delete(operatorTwoFactors).where(eq(operatorTwoFactors.operatorId, operator.id));
    await tx
      .update(operators)
      .set({ twoFactorEnabled: false, updatedAt: at })
      .where(eq(operators.id, operator.id));
    await writeAudit(
      tx,
      { operator, from: fromCommandLine, at },
      { projectId: null, action: "operator.two_factor_disabled" },
    );
    return { email: operator.email };
  });
}
