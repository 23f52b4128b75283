import { StowageError } from "@stowage/schemas";
import { and, asc, eq, ne } from "drizzle-orm";
import { commandLineClient } from "#audit/caller.js";
import { type AuditEntry, writeAudit } from "#audit/write-audit.js";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { operatorAccounts, operators, operatorTwoFactors } from "#db/schema/index.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import { deleteSessions } from "./delete-sessions.js";

interface OperatorSummary {
  email: string;
  name: string;
  /** True for an admin of the whole installation. */
  isAdmin: boolean;
  /** True if an admin granted them the right to create projects. */
  hasProjectGrant: boolean;
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
        hasProjectGrant: operators.hasProjectGrant,
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
  /** Null: the operator has no password. */
  passwordHash: string | null;
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
  if (passwordHash !== null) {
    await tx.insert(operatorAccounts).values({
      id: randomRef(deps.randomBytes),
      operatorId: id,
      accountId: id,
      providerId: "credential",
      password: passwordHash,
      ...times,
    });
  }
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
 * Gives an operator the right to create projects, or takes it. For the command line; the dashboard's admins use
 * members/manage-operators.ts.
 *
 * @throws {StowageError} `not_found` if no operator has this e-mail address; `unavailable`
 */
export function setProjectGrantByEmail(
  deps: { db: Queries; clock: () => Date },
  email: string,
  isGranted: boolean,
): Promise<{ email: string }> {
  return inTransaction(deps.db, async (_, tx) => {
    const operator = await lockOperatorByEmail(tx, email);
    const at = deps.clock();
    const entry = await changeProjectGrant(tx, operator, isGranted, at);
    if (entry) await writeAudit(tx, { operator, client: commandLineClient, at }, entry);
    return { email: operator.email };
  });
}

/**
 * Lets an operator use a password although PASSWORD_SIGN_IN is off, or takes that back. Only the command line
 * offers this: it is the way in when the OpenID Connect provider is down.
 *
 * @throws {StowageError} `not_found` if no operator has this e-mail address; `unavailable`
 */
export function setPasswordException(
  deps: { db: Queries; clock: () => Date },
  email: string,
  isGranted: boolean,
): Promise<{ email: string }> {
  return inTransaction(deps.db, async (_, tx) => {
    const operator = await lockOperatorByEmail(tx, email);
    const at = deps.clock();
    const changed = await tx
      .update(operators)
      .set({ mayUsePassword: isGranted, updatedAt: at })
      .where(and(eq(operators.id, operator.id), ne(operators.mayUsePassword, isGranted)))
      .returning({ id: operators.id });
    if (changed.length > 0) {
      const action = isGranted
        ? "operator.password_exception_granted"
        : "operator.password_exception_withdrawn";
      await writeAudit(tx, { operator, client: commandLineClient, at }, { projectId: null, action });
    }
    return { email: operator.email };
  });
}

/** @returns the audit entry, or null if nothing changed */
export async function changeProjectGrant(
  tx: Transaction,
  { id, email }: { id: string; email: string },
  isGranted: boolean,
  at: Date,
): Promise<AuditEntry | null> {
  const changed = await tx
    .update(operators)
    .set({ hasProjectGrant: isGranted, updatedAt: at })
    .where(and(eq(operators.id, id), ne(operators.hasProjectGrant, isGranted)))
    .returning({ id: operators.id });
  if (changed.length === 0) return null;
  const action = isGranted ? "operator.project_creation_granted" : "operator.project_creation_withdrawn";
  return { action, projectId: null, details: { email } };
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
