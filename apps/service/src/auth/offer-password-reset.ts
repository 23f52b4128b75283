import { writeAudit } from "#audit/write-audit.js";
import { inTransaction, type Queries } from "#db/client.js";
import { passwordResets } from "#db/schema/index.js";
import type { RandomBytes } from "#lib/random.js";
import type { DashboardAddress } from "./dashboard-address.js";
import { hashToken, makeToken } from "./one-time-token.js";
import { fromCommandLine, requireOperator } from "./require-operator.js";

export interface OfferPasswordResetDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  dashboard: Pick<DashboardAddress, "url">;
}

const VALID_MS = 24 * 3600 * 1000;

/**
 * Makes a link by which an operator chooses another password, once, within a day; an earlier one ends. Until it is used the old
 * password stays. For the command line: whoever has the database may let anybody in.
 *
 * @throws {StowageError} `not_found` for an e-mail address that nobody has; `unavailable`
 */
export function offerPasswordReset(
  deps: OfferPasswordResetDeps,
  email: string,
): Promise<{ email: string; url: string; expiresAt: string }> {
  const token = makeToken(deps.randomBytes);
  return inTransaction(deps.db, async (_, tx) => {
    const operator = await requireOperator(tx, email);
    const at = deps.clock();
    const reset = {
      tokenHash: hashToken(token),
      createdAt: at,
      expiresAt: new Date(at.getTime() + VALID_MS),
    };
    await tx
      .insert(passwordResets)
      .values({ operatorId: operator.id, ...reset })
      .onConflictDoUpdate({ target: passwordResets.operatorId, set: reset });
    await writeAudit(
      tx,
      { operator, from: fromCommandLine, at },
      { projectId: null, action: "operator.password_reset_offered" },
    );
    // Behind the #, which browsers send to nobody: the token is in no server's log.
    const url = `${deps.dashboard.url()}/reset#${token}`;
    return { email: operator.email, url, expiresAt: reset.expiresAt.toISOString() };
  });
}
