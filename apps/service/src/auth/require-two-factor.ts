import { DashboardError } from "@stowage/operator-schemas";
import type { Session, SignIn, SignInCall } from "./sign-in.js";

/**
 * What each sign-in call allows while a second factor is required.
 *
 * - `always`: signing in and out, and what sets the second factor up
 * - `with-two-factor`: only for an operator who has a second factor
 * - `never`
 */
const rules: Record<SignInCall, "always" | "with-two-factor" | "never"> = {
  "/sign-in/email": "always",
  "/sign-out": "always",
  "/two-factor/enable": "always",
  "/two-factor/verify-totp": "always",
  "/two-factor/verify-backup-code": "always",
  "/two-factor/generate-backup-codes": "with-two-factor",
  "/change-password": "with-two-factor",
  "/two-factor/disable": "never",
  "/sign-in/oidc": "always",
  "/oidc/connect": "with-two-factor",
};

/**
 * Wraps a sign-in for an installation that requires a second factor (REQUIRE_TWO_FACTOR). The calls of `/auth` are checked here.
 * All other calls of an operator pass {@link refuseWithoutTwoFactor}.
 */
export function requireTwoFactor(signIn: SignIn): SignIn {
  const findSession = async (headers: Headers): Promise<Session | null> => {
    const session = await signIn.findSession(headers);
    // A session from before the setting: the provider's next sign-in must prove a second factor.
    if (session?.signedInBy === "oidc" && !session.hasProviderFactor) return null;
    return session && { ...session, isTwoFactorRequired: true };
  };
  return {
    ...signIn,
    findSession,
    async handle(request) {
      const rule = rules[request.call];
      if (rule === "never") throw new DashboardError("two_factor_required");
      // Without a session, the call itself answers `signed_out`.
      if (rule === "with-two-factor") refuseWithoutTwoFactor(await findSession(request.headers));
      return signIn.handle(request);
    },
  };
}

/** Tells whether the operator may only set up a second factor. */
export function mustSetUpTwoFactor({ isTwoFactorRequired, hasProviderFactor, operator }: Session): boolean {
  return isTwoFactorRequired && !operator.twoFactorEnabled && !hasProviderFactor;
}

/**
 * Returns the session, unless its operator must set up a second factor first. Every use of a session passes this check, except
 * the set-up itself.
 *
 * @throws {DashboardError} `two_factor_missing`
 */
export function refuseWithoutTwoFactor<Found extends Session | null>(session: Found): Found {
  if (session && mustSetUpTwoFactor(session)) throw new DashboardError("two_factor_missing");
  return session;
}
