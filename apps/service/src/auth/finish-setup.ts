import { DashboardError, type FinishSetupInput } from "@stowage/schemas/dashboard";
import { asc } from "drizzle-orm";
import type { From } from "#audit/caller.js";
import { writeAudit } from "#audit/write-audit.js";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { operators, setupTokens } from "#db/schema/index.js";
import type { RandomBytes } from "#lib/random.js";
import { insertOperator } from "./insert-operator.js";
import { hashToken, isSameHash } from "./one-time-token.js";
import type { SignIn } from "./sign-in.js";

export interface FinishSetupDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  signIn: Pick<SignIn, "hashPassword">;
}

/**
 * Makes the first operator, who is the installation's admin. Of two who bring tokens at once one gets in: both lock the same
 * rows, and whoever comes second finds none.
 *
 * @throws {DashboardError} `setup_refused` for a token that is wrong, old or used; {@link StowageError} `unavailable`
 */
export async function finishSetup(
  deps: FinishSetupDeps,
  from: From,
  input: FinishSetupInput,
): Promise<{ email: string }> {
  const tokenHash = hashToken(input.token);
  // Before the password is hashed, which is work that nobody may have us do.
  await inTransaction(deps.db, (_, tx) => requireToken(tx, tokenHash));
  const passwordHash = await deps.signIn.hashPassword(input.password);
  return inTransaction(deps.db, async (_, tx) => {
    await requireToken(tx, tokenHash);
    const [anybody] = await tx.select({ id: operators.id }).from(operators).limit(1);
    if (anybody) throw new DashboardError("setup_refused");
    await tx.delete(setupTokens);
    const { name, email } = input;
    const operator = await insertOperator(tx, deps, { name, email, passwordHash, isAdmin: true });
    await writeAudit(
      tx,
      { operator, from, at: deps.clock() },
      { projectId: null, action: "installation.set_up" },
    );
    return { email };
  });
}

/** Compares with every token there is, so that the time tells nothing. */
async function requireToken(tx: Transaction, tokenHash: string): Promise<void> {
  const tokens = await tx.select().from(setupTokens).orderBy(asc(setupTokens.tokenHash)).for("update");
  const matches = tokens.filter((token) => isSameHash(token.tokenHash, tokenHash));
  if (matches.length === 0) throw new DashboardError("setup_refused");
}
