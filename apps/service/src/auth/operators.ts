import { StowageError } from "@stowage/schemas";
import { asc, eq } from "drizzle-orm";
import { commandLineClient } from "#audit/caller.js";
import { writeAudit } from "#audit/write-audit.js";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { operatorAccounts, operators, operatorTwoFactors } from "#db/schema/index.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import { deleteSessions } from "./delete-sessions.js";

interface OperatorSummary {
  email: string;
  name: string;
  /** True for an admin of the whole installation. */
  isAdmin: boolean;
  twoFactorEnabled: boolean;
  createdAt: string;
}

/** Lists all operators, oldest first. @throws {StowageError} `unavailable` */
export async function listOperators(deps: { db: Queries }): Promise<OperatorSummary[]> {
  const rows = await deps.db.run((db) =>
    db
      .select({
        email: operators.email,
        name: operators.name,
        isAdmin: operators.isAdmin,
        twoFactorEnabled: operators.twoFactorEnabled,
        createdAt: operators.createdAt,
      })
      .from(operators)
      .orderBy(asc(operators.createdAt), asc(operators.id)),
  );
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

interface NewOperator {
  name: string;
  /** In lower case. */
  email: string;
  passwordHash: string;
  isAdmin: boolean;
}

/** Adds an operator and their password. */
export async function insertOperator(
  tx: Transaction,
  deps: { clock: () => Date; randomBytes: RandomBytes },
  { passwordHash, ...operator }: NewOperator,
): Promise<{ id: string; email: string }> {
  const id = randomRef(deps.randomBytes);
  const now = deps.clock();
  const times = { createdAt: now, updatedAt: now };
  // The operator used a one-time link that was made for this address or printed by the service.
  await tx.insert(operators).values({ id, ...operator, emailVerified: true, ...times });
  await tx.insert(operatorAccounts).values({
    id: randomRef(deps.randomBytes),
    operatorId: id,
    accountId: id,
    providerId: "credential",
    password: passwordHash,
    ...times,
  });
  return { id, email: operator.email };
}

/**
 * Removes the second factor of an operator who lost the authenticator app and its backup codes, and ends their sessions. They then
 * sign in with their password alone, unless the installation requires a second factor. Only the command line offers this.
 *
 * @throws {StowageError} `not_found` if no operator has this e-mail address; `unavailable`
 */
export function removeTwoFactor(
  deps: { db: Queries; clock: () => Date },
  email: string,
): Promise<{ email: string }> {
  return inTransaction(deps.db, async (_, tx) => {
    const operator = await lockOperatorByEmail(tx, email);
    const at = deps.clock();
    await tx.delete(operatorTwoFactors).where(eq(operatorTwoFactors.operatorId, operator.id));
    await tx
      .update(operators)
      .set({ twoFactorEnabled: false, updatedAt: at })
      .where(eq(operators.id, operator.id));
    await deleteSessions(tx, operator.id);
    await writeAudit(
      tx,
      { operator, client: commandLineClient, at },
      { projectId: null, action: "operator.two_factor_disabled" },
    );
    return { email: operator.email };
  });
}

/**
 * Finds an operator by e-mail address and locks the row until the transaction ends.
 *
 * @param email in upper or lower case
 * @throws {StowageError} `not_found`
 */
export async function lockOperatorByEmail(
  tx: Transaction,
  email: string,
): Promise<{ id: string; email: string }> {
  const [operator] = await tx
    .select({ id: operators.id, email: operators.email })
    .from(operators)
    .where(eq(operators.email, email.toLowerCase()))
    .for("update");
  if (!operator) throw new StowageError("not_found", { detail: "No operator has this e-mail address" });
  return operator;
}
