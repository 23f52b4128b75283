import { DashboardError } from "@stowage/operator-schemas";
import { and, eq } from "drizzle-orm";
import { auditedTransaction } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import { operatorAccounts, operators } from "#db/schema/index.js";
import { deleteSessions } from "./delete-sessions.js";
import type { SessionCaller } from "./end-sessions.js";

/** How this installation signs operators in. */
export interface SignInOffer {
  /** The name of the OpenID Connect provider for people. Null: there is none. */
  oidcName: string | null;
  /** True: passwords are refused, except those of operators with an exception. */
  isPasswordOff: boolean;
}

export interface SignInMethods extends SignInOffer {
  /** Whether the account is connected with the provider. */
  isConnected: boolean;
  /** Whether the account has a password that its operator may sign in with. */
  hasPassword: boolean;
}

/** Tells how the caller may sign in. @throws {StowageError} `unavailable` */
export function readSignInMethods(
  deps: { db: Queries; signInOffer: SignInOffer },
  { operator }: Pick<SessionCaller, "operator">,
): Promise<SignInMethods> {
  return deps.db.run(async (db) => {
    const accounts = await db
      .select({ providerId: operatorAccounts.providerId, mayUsePassword: operators.mayUsePassword })
      .from(operatorAccounts)
      .innerJoin(operators, eq(operators.id, operatorAccounts.operatorId))
      .where(eq(operatorAccounts.operatorId, operator.id));
    const password = accounts.find(({ providerId }) => providerId === "credential");
    return {
      ...deps.signInOffer,
      isConnected: accounts.some(({ providerId }) => providerId === "oidc"),
      hasPassword: password !== undefined && (!deps.signInOffer.isPasswordOff || password.mayUsePassword),
    };
  });
}

/**
 * Ends the connection of the caller's account with the provider, and all other sessions of the caller.
 *
 * @throws {DashboardError} `only_way_to_sign_in`; {@link StowageError} `unavailable`
 */
export function disconnectOidc(
  deps: { db: Queries; clock: () => Date; signInOffer: SignInOffer },
  caller: SessionCaller,
): Promise<void> {
  return auditedTransaction(deps, caller, async (inside, tx) => {
    const { hasPassword } = await readSignInMethods(inside, caller);
    if (!hasPassword) throw new DashboardError("only_way_to_sign_in");
    await deleteSessions(tx, caller.operator.id, { except: caller.sessionId });
    const removed = await tx
      .delete(operatorAccounts)
      .where(
        and(eq(operatorAccounts.operatorId, caller.operator.id), eq(operatorAccounts.providerId, "oidc")),
      )
      .returning({ id: operatorAccounts.id });
    return {
      result: undefined,
      entry: removed.length > 0 ? { action: "operator.oidc_disconnected", projectId: null } : null,
    };
  });
}
