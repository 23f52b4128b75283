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
  const claims = idTokenSchema.safeParse(payloadOf(idToken)).data;
  if (!claims) return null;
  const isForSeveral = Array.isArray(claims.aud) && claims.aud.length > 1;
  // Section 3.1.3.7, rules 4 and 5.
  if (isForSeveral ? claims.azp !== clientId : claims.azp !== undefined && claims.azp !== clientId)
    return null;
  return claims;
}

function payloadOf(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
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
