import { getOAuthState } from "better-auth/api";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { CallDeps } from "./better-auth-call.js";
import {
  type AdmitByOidc,
  type OidcIdentity,
  type OidcIntent,
  OidcRefused,
  type OidcSettings,
} from "./oidc.js";
import {
  explainRefusedToken,
  type IdTokenClaims,
  type Profile,
  readIdToken,
  readProfile,
  toIdentity,
} from "./oidc-claims.js";
import {
  discoveryUrl,
  exchangeCode,
  ProviderError,
  type ProviderMetadata,
  readUserInfo,
} from "./oidc-network.js";
import { type CallContext, callContext } from "./sign-in-audit.js";

/** The library's name of the provider. The redirect URI ends with it, so it must not change. */
export const PROVIDER = "oidc";
export const CALLBACK = `/callback/${PROVIDER}`;

export type OidcPlugin = ReturnType<typeof genericOAuth>;

export interface OidcDeps extends CallDeps {
  settings: OidcSettings;
  admit: AdmitByOidc;
  /** Tells the engineer why sign-ins fail. The error contains no personal data and no secret. */
  onOidcFailure: (error: Error) => void;
}

/** Configures better-auth's plugin with the addresses of the provider, and lets `admit` decide who may enter. */
export function createOidcPlugin(deps: OidcDeps, metadata: ProviderMetadata): OidcPlugin {
  const { settings } = deps;
  const redirectUri = `${deps.dashboard.url()}/auth${CALLBACK}`;
  return genericOAuth({
    config: [
      {
        providerId: PROVIDER,
        discoveryUrl: discoveryUrl(settings.issuer),
        requireIdTokenVerification: true,
        authorizationUrl: metadata.authorization_endpoint,
        tokenUrl: metadata.token_endpoint,
        redirectURI: redirectUri,
        clientId: settings.clientId,
        clientSecret: settings.clientSecret,
        scopes: settings.scopes,
        pkce: true,
        disableSignUp: true,
        accountSubject: ({ profile }) => String(profile["accountId"]),
        // The library's own call has no time limit and follows the setting of no discovery document.
        getToken: async ({ code, codeVerifier = "" }) => {
          const exchange = exchangeCode(metadata, settings, { code, codeVerifier, redirectUri });
          const tokens = await rememberFailure(deps, exchange);
          const expected = { ...settings, algorithms: metadata.id_token_signing_alg_values_supported };
          const explain = () => explainRefusedToken(tokens.idToken, { ...expected, now: deps.clock() });
          note({ explain: () => `the ID token was refused: ${explain()}` });
          return tokens;
        },
        getUserInfo: async ({ idToken, accessToken }) => {
          // Without an ID token, the library would believe the access token alone.
          const claims = idToken === undefined ? null : readIdToken(idToken, settings.clientId);
          if (!claims) return null;
          const profile = await rememberFailure(deps, findProfile(metadata, claims, accessToken));
          if (!profile) {
            note({ explain: () => "the user info has another sub than the ID token" });
            return null;
          }
          return admit(deps, toIdentity(claims, profile, settings));
        },
      },
    ],
  });
}

/** The claims about the person are in the ID token, or else only at the user info endpoint. */
async function findProfile(
  metadata: ProviderMetadata,
  claims: IdTokenClaims,
  accessToken: string | undefined,
): Promise<Profile | null> {
  const { userinfo_endpoint: url } = metadata;
  if (claims.email !== undefined || url === undefined || accessToken === undefined) return claims;
  return readProfile(await readUserInfo(url, accessToken), claims.sub);
}

/** The library replaces an error of these calls by its own. */
async function rememberFailure<T>({ onOidcFailure }: OidcDeps, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProviderError) {
      onOidcFailure(error);
      refuse(new OidcRefused(error.kind === "unreachable" ? "provider_unreachable" : "provider_refused"));
    }
    throw error;
  }
}

/** @returns what the library needs to find the connected account that `admit` has found or created */
async function admit(deps: OidcDeps, identity: OidcIdentity) {
  const context = callContext.getStore();
  const state = (await getOAuthState()) as { intent?: OidcIntent } | null;
  const intent = state?.intent;
  if (!context || !intent) throw new Error("A sign-in with OpenID Connect has lost its state");
  const endsAt = new Date(deps.clock().getTime() + deps.settings.sessionHours * 3600_000);
  context.oidc = {
    intent,
    email: identity.email,
    session: { providerSecondFactor: identity.hasSecondFactor, endsAt },
  };
  try {
    const { email, to } = await deps.admit(identity, intent, context.client);
    context.oidc.admitted = { to, email };
    return { accountId: identity.accountId, email, emailVerified: true, name: "" };
  } catch (error) {
    if (error instanceof OidcRefused) refuse(error);
    throw error;
  }
}

const refuse = (refused: OidcRefused) => note({ refused });

function note(noted: NonNullable<CallContext["oidc"]>): void {
  const context = callContext.getStore();
  if (context) context.oidc = { ...context.oidc, ...noted };
}
