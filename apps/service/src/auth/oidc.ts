import type { OidcRefusal } from "@stowage/operator-schemas";
import type { ClientInfo } from "#audit/caller.js";

/*
 * The port between the sign-in with OpenID Connect (auth/better-auth-oidc.ts), which proves who a person is, and the verb that decides
 * whether this person may enter (members/admit-by-oidc.ts).
 */

/** The installation's provider, and what its answers count for. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string[];
  /** `provider`: each sign-in counts as one with a second factor. `claim`: only one whose `amr` claim contains `mfa`. */
  secondFactor: "claim" | "provider";
  /** `provider`: an address without the claim `email_verified` counts as verified. */
  verifiedEmail: "claim" | "provider";
  sessionHours: number;
}

/** What the provider has proved about a person. */
export interface OidcIdentity {
  /** Issuer and subject. Unlike the e-mail address, they never belong to another person. */
  accountId: string;
  issuer: string;
  /** In lower case. Null: the provider sent none, or not an e-mail address. */
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
  hasSecondFactor: boolean;
}

/** What a sign-in is for. The library stores it until the person comes back from the provider. */
export interface OidcIntent {
  /** The path to open afterwards. */
  to: string;
  /** A one-time link that the person has opened. Only its hash is stored. */
  link?: { kind: "invitation" | "setup"; tokenHash: string } | undefined;
  /** The operator who connects their account, and the session in which they confirmed it with their password. */
  connect?: { operatorId: string; sessionId: string } | undefined;
}

/** A person whom the provider has identified and who may not enter. */
export class OidcRefused extends Error {
  override readonly name = "OidcRefused";
  readonly refusal: OidcRefusal;
  readonly operatorId: string | null;

  /** @param operatorId the operator whom the person claims to be. Their activity then shows the refusal */
  constructor(refusal: OidcRefusal, operatorId: string | null = null) {
    super(refusal);
    this.refusal = refusal;
    this.operatorId = operatorId;
  }
}

/**
 * Finds, connects or creates the operator of an identity.
 *
 * @returns the operator, and the path to open
 * @throws {OidcRefused}
 * @throws {StowageError} `unavailable`
 */
export type AdmitByOidc = (
  identity: OidcIdentity,
  intent: OidcIntent,
  client: ClientInfo,
) => Promise<{ operatorId: string; email: string; to: string }>;
