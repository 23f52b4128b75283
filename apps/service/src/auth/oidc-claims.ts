import { inviteInput } from "@stowage/operator-schemas";
import * as z from "zod";
import type { OidcIdentity, OidcSettings } from "./oidc.js";

/** Some providers send booleans as text. */
const isTrue = z.union([z.boolean(), z.enum(["true", "false"]).transform((word) => word === "true")]);

const profileSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().optional().catch(undefined),
  email_verified: isTrue.optional().catch(false),
  name: z.string().optional().catch(undefined),
});
export type Profile = z.output<typeof profileSchema>;

/** The claims that an ID token must have, beside those that its verification compares: OpenID Connect Core 1.0, section 2. */
const idTokenSchema = profileSchema.extend({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  iat: z.number(),
  nonce: z.string(),
  azp: z.string().optional(),
  amr: z.array(z.string()).optional().catch(undefined),
});
export type IdTokenClaims = z.output<typeof idTokenSchema>;

/**
 * Reads the claims of an ID token whose signature, issuer, audience, times and nonce were verified before. Returns null if a claim that
 * the standard requires is missing, or the token was issued to another client.
 */
export function readIdToken(idToken: string, clientId: string): IdTokenClaims | null {
  const claims = idTokenSchema.safeParse(partOf(idToken, 1)).data;
  return claims && isIssuedTo(claims, clientId) ? claims : null;
}

/** Section 3.1.3.7, rules 4 and 5. */
function isIssuedTo({ aud, azp }: Pick<IdTokenClaims, "aud" | "azp">, clientId: string): boolean {
  const isForSeveral = Array.isArray(aud) && aud.length > 1;
  return isForSeveral ? azp === clientId : azp === undefined || azp === clientId;
}

/** What an ID token must match. */
export interface ExpectedToken {
  issuer: string;
  clientId: string;
  /** The algorithms that the discovery document names. */
  algorithms: string[];
  now: Date;
}

/** The library allows clocks to differ by so much. */
const CLOCK_TOLERANCE_SECONDS = 30;

/**
 * Says why an ID token was refused, for the log. It names no value of a person, and no value of the token except its algorithm and times.
 * The library does not tell which of its checks has failed, so this repeats those that need no key.
 */
export function explainRefusedToken(idToken: string, expected: ExpectedToken): string {
  const header = Object(partOf(idToken, 0)) as { alg?: unknown };
  const claims = Object(partOf(idToken, 1)) as Record<string, unknown>;
  const algorithm = typeof header.alg === "string" ? header.alg.slice(0, 20) : "no algorithm";
  if (!expected.algorithms.includes(algorithm))
    return `it is signed with ${algorithm}, and the discovery document names ${expected.algorithms.join(", ").slice(0, 200)}`;
  if (claims["iss"] !== expected.issuer) return "its iss is not OIDC_ISSUER";
  if (![claims["aud"]].flat().includes(expected.clientId)) return "its aud is not OIDC_CLIENT_ID";
  const problem = problemOfTimes(claims, expected.now);
  if (problem !== null) return problem;
  const invalid = idTokenSchema.safeParse(claims).error?.issues[0]?.path[0];
  if (invalid !== undefined) return `it has no usable ${String(invalid)}`;
  if (!isIssuedTo(idTokenSchema.parse(claims), expected.clientId)) return "its azp is not OIDC_CLIENT_ID";
  return "its signature is of no key at jwks_uri, or its nonce is of another sign-in";
}

function problemOfTimes(claims: Record<string, unknown>, now: Date): string | null {
  const nowSeconds = now.getTime() / 1000;
  const { exp, nbf } = claims;
  if (typeof exp !== "number") return "it has no usable exp";
  if (exp <= nowSeconds - CLOCK_TOLERANCE_SECONDS)
    return `it ended ${Math.round(nowSeconds - exp)} seconds ago, by the clock of this server`;
  if (typeof nbf === "number" && nbf > nowSeconds + CLOCK_TOLERANCE_SECONDS)
    return `it begins in ${Math.round(nbf - nowSeconds)} seconds, by the clock of this server`;
  return null;
}

/** @param index 0: the header. 1: the claims */
function partOf(token: string, index: 0 | 1): unknown {
  try {
    return JSON.parse(Buffer.from(token.split(".")[index] ?? "", "base64url").toString("utf8"));
  } catch {
    return null;
  }
}

/**
 * Reads an answer of the user info endpoint. Returns null if it is about another person: section 5.3.2 requires this check, because an
 * attacker may have replaced the access token.
 */
export function readProfile(body: unknown, subject: string): Profile | null {
  const profile = profileSchema.safeParse(body).data;
  return profile?.sub === subject ? profile : null;
}

/** @param profile the claims about the person, of the ID token or of the user info endpoint */
export function toIdentity(claims: IdTokenClaims, profile: Profile, settings: OidcSettings): OidcIdentity {
  const email = inviteInput.shape.email.safeParse(profile.email).data ?? null;
  return {
    // The subject is unique for its issuer only. A space cannot be part of an issuer.
    accountId: `${claims.iss} ${claims.sub}`,
    issuer: claims.iss,
    email,
    isEmailVerified: profile.email_verified ?? settings.verifiedEmail === "provider",
    name: profile.name ?? null,
    hasSecondFactor: settings.secondFactor === "provider" || claims.amr?.includes("mfa") === true,
  };
}
