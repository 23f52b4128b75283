import { DashboardError, type ResetPasswordInput } from "@stowage/operator-schemas";
import { and, eq, gt } from "drizzle-orm";
import { type ClientInfo, commandLineClient } from "#audit/caller.js";
import { writeAudit } from "#audit/write-audit.js";
import { type Drizzle, inTransaction, type Queries, type Transaction } from "#db/client.js";
import { operatorAccounts, operators, passwordResets } from "#db/schema/index.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import { addMs, DAY_MS } from "#lib/time.js";
import type { DashboardAddress } from "./dashboard-address.js";
import { deleteSessions } from "./delete-sessions.js";
import { createToken, hashToken } from "./one-time-token.js";
import { lockOperatorByEmail } from "./operators.js";
import type { SignIn } from "./sign-in.js";

interface OfferPasswordResetDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  dashboard: Pick<DashboardAddress, "url">;
}

const RESET_LINK_VALID_MS = DAY_MS;

/**
 * Creates a link that lets an operator set a new password. The link works once, for one day, and replaces an earlier link.
 * The old password stays valid until the link is used. Only the command line offers this.
 *
 * @param email in upper or lower case
 * @throws {StowageError} `not_found` if no operator has this e-mail address; `unavailable`
 */
export function offerPasswordReset(
  deps: OfferPasswordResetDeps,
  email: string,
): Promise<{ email: string; url: string; expiresAt: string }> {
  const token = createToken(deps.randomBytes);
  return inTransaction(deps.db, async (_, tx) => {
    const operator = await lockOperatorByEmail(tx, email);
    const at = deps.clock();
    const reset = {
      tokenHash: hashToken(token),
      createdAt: at,
      expiresAt: addMs(at, RESET_LINK_VALID_MS),
    };
    await tx
      .insert(passwordResets)
      .values({ operatorId: operator.id, ...reset })
      .onConflictDoUpdate({ target: passwordResets.operatorId, set: reset });
    await writeAudit(
      tx,
      { operator, client: commandLineClient, at },
      { projectId: null, action: "operator.password_reset_offered" },
    );
    // Browsers do not send the part behind the # to any server, so the token appears in no server's log.
    const url = `${deps.dashboard.url()}/reset#${token}`;
    return { email: operator.email, url, expiresAt: reset.expiresAt.toISOString() };
  });
}

/**
 * Tells whose password a link would change, without using the link up.
 *
 * @throws {DashboardError} `reset_refused`; {@link StowageError} `unavailable`
 */
export function readPasswordReset(
  deps: { db: Queries; clock: () => Date },
  input: { token: string },
): Promise<{ email: string }> {
  return deps.db.run(async (db) => {
    const { email } = await findPasswordReset(db, input.token, deps.clock());
    return { email };
  });
}

interface ResetPasswordDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  signIn: Pick<SignIn, "hashPassword">;
}

/**
 * Sets a new password, uses the link up, and ends all sessions of the operator. The second factor stays, so that a stolen link
 * is not enough to sign in.
 *
 * @throws {DashboardError} `reset_refused`; {@link StowageError} `unavailable`
 */
export async function resetPassword(
  deps: ResetPasswordDeps,
  client: ClientInfo,
  input: ResetPasswordInput,
): Promise<{ email: string }> {
  // Hashing a password is expensive, so a caller without a valid token must not reach it.
  await deps.db.run((db) => findPasswordReset(db, input.token, deps.clock()));
  const password = await deps.signIn.hashPassword(input.password);
  return inTransaction(deps.db, async (_, tx) => {
    const at = deps.clock();
    const operator = await findPasswordReset(tx, input.token, at);
    // If two calls use one link at the same time, the second waits here for the first and then deletes nothing.
    const [used] = await tx
      .delete(passwordResets)
      .where(eq(passwordResets.tokenHash, hashToken(input.token)))
      .returning({ operatorId: passwordResets.operatorId });
    if (!used) throw new DashboardError("reset_refused");
    await storePassword(tx, deps, { operatorId: operator.id, password, at });
    await deleteSessions(tx, operator.id);
    await writeAudit(tx, { operator, client, at }, { projectId: null, action: "operator.password_reset" });
    return { email: operator.email };
  });
}

/** An operator who signs in with OpenID Connect may have no password yet. */
async function storePassword(
  tx: Transaction,
  { randomBytes }: Pick<ResetPasswordDeps, "randomBytes">,
  { operatorId, password, at }: { operatorId: string; password: string; at: Date },
): Promise<void> {
  await tx
    .insert(operatorAccounts)
    .values({
      id: randomRef(randomBytes),
      operatorId,
      accountId: operatorId,
      providerId: "credential",
      password,
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoUpdate({
      target: [operatorAccounts.providerId, operatorAccounts.accountId],
      set: { password, updatedAt: at },
    });
}

/** @throws {DashboardError} `reset_refused` if the token is wrong, expired, used or replaced by a newer one */
async function findPasswordReset(
  db: Drizzle | Transaction,
  token: string,
  now: Date,
): Promise<{ id: string; email: string }> {
  // The query looks for the token's hash, so its duration reveals nothing about the token.
  const [found] = await db
    .select({ id: operators.id, email: operators.email })
    .from(passwordResets)
    .innerJoin(operators, eq(operators.id, passwordResets.operatorId))
    .where(and(eq(passwordResets.tokenHash, hashToken(token)), gt(passwordResets.expiresAt, now)));
  if (!found) throw new DashboardError("reset_refused");
  return found;
}
