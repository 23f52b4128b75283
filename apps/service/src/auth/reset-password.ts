import { DashboardError, type ResetPasswordInput } from "@stowage/schemas/dashboard";
import { eq } from "drizzle-orm";
import type { From } from "#audit/caller.js";
import { writeAudit } from "#audit/write-audit.js";
import { inTransaction, type Queries } from "#db/client.js";
import {
  operatorAccounts,
  operatorSessions,
  operatorVerifications,
  passwordResets,
} from "#db/schema/index.js";
import { findPasswordReset } from "./find-password-reset.js";
import { hashToken } from "./one-time-token.js";
import type { SignIn } from "./sign-in.js";

export interface ResetPasswordDeps {
  db: Queries;
  clock: () => Date;
  signIn: Pick<SignIn, "hashPassword">;
}

/**
 * Sets another password by a link, which is used up by it, and signs its operator out everywhere. A second factor stays: a link
 * that went astray is not enough to sign in.
 *
 * @throws {DashboardError} `reset_refused`; {@link StowageError} `unavailable`
 */
export async function resetPassword(
  deps: ResetPasswordDeps,
  from: From,
  input: ResetPasswordInput,
): Promise<{ email: string }> {
  // Before the password is hashed, which is work that nobody may have us do.
  await deps.db.run((db) => findPasswordReset(db, input.token, deps.clock()));
  const password = await deps.signIn.hashPassword(input.password);
  return inTransaction(deps.db, async (_, tx) => {
    const at = deps.clock();
    const operator = await findPasswordReset(tx, input.token, at);
    // Of two who come with one link the second waits here, and finds nothing to delete.
    const [used] = await tx
      .delete(passwordResets)
      .where(eq(passwordResets.tokenHash, hashToken(input.token)))
      .returning({ operatorId: passwordResets.operatorId });
    if (!used) throw new DashboardError("reset_refused");
    const isTheirs = eq(operatorAccounts.operatorId, operator.id);
    await tx.update(operatorAccounts).set({ password, updatedAt: at }).where(isTheirs);
    await tx.delete(operatorSessions).where(eq(operatorSessions.operatorId, operator.id));
    // Those who gave the old password and have yet to give their code.
    await tx.delete(operatorVerifications).where(eq(operatorVerifications.value, operator.id));
    await writeAudit(tx, { operator, from, at }, { projectId: null, action: "operator.password_reset" });
    return { email: operator.email };
  });
}
