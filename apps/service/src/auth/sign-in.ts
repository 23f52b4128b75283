import type { ClientInfo, Operator } from "#audit/caller.js";

/** The sign-in calls that the dashboard may make below `/auth`. All other calls of the sign-in library are closed. */
export const signInCalls = [
  "/sign-in/email",
  "/sign-out",
  "/change-password",
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/verify-totp",
  "/two-factor/verify-backup-code",
  "/two-factor/generate-backup-codes",
  "/sign-in/oidc",
  "/oidc/connect",
] as const;

export type SignInCall = (typeof signInCalls)[number];

export interface SignInRequest {
  call: SignInCall;
  headers: Headers;
  body: unknown;
  client: ClientInfo;
}

export interface SignInResponse {
  /** Complete values of `Set-Cookie` headers. */
  cookies: string[];
  body: unknown;
}

/** A person who comes back from the OpenID Connect provider. */
export interface OidcReturn {
  /** The query of the address, with its question mark. */
  search: string;
  headers: Headers;
  client: ClientInfo;
}

export interface OidcAnswer {
  /** Complete values of `Set-Cookie` headers. */
  cookies: string[];
  /** The path of the dashboard to open. */
  location: string;
  /** Of the operator who is signed in now. Null: the sign-in was refused. */
  email: string | null;
}

export interface Session {
  /** Names the session without being its token. */
  id: string;
  signedInBy: "password" | "oidc";
  /** Whether the OpenID Connect provider has checked a second factor. */
  hasProviderFactor: boolean;
  operator: Operator;
  /** True if the installation requires a second factor, and not only of this operator. */
  isTwoFactorRequired: boolean;
  /** Complete values of `Set-Cookie` headers that extend the session. */
  cookies: string[];
}

/** The port for authentication. It identifies operators; members/authorize.ts decides what they may do. */
export interface SignIn {
  /**
   * Answers one of {@link signInCalls}.
   *
   * @throws {DashboardError} `wrong_credentials`, `wrong_code`, `wrong_password`, `signed_out`, `password_sign_in_off`, `oidc_unreachable`
   * @throws {StowageError} `too_many_requests`, `invalid_request`, `cross_site`, `unavailable`
   */
  handle(request: SignInRequest): Promise<SignInResponse>;
  /**
   * Ends a sign-in with OpenID Connect. A refusal is an answer too.
   *
   * @throws {StowageError} `not_found` if the installation has no provider; `unavailable`
   */
  finishOidc(returned: OidcReturn): Promise<OidcAnswer>;
  /** Finds the session of a request's cookies, or null. @throws {StowageError} `unavailable` */
  findSession(headers: Headers): Promise<Session | null>;
  /** Hashes a password for storage. @throws {StowageError} `too_many_requests` */
  hashPassword(password: string): Promise<string>;
  /**
   * Makes the browser of a request a known device of an account, as a sign-in does: guesses from elsewhere do not delay it. Call it
   * when a caller has chosen the account's password with a one-time link.
   *
   * @returns a complete value of `Set-Cookie`
   */
  rememberDevice(email: string): Promise<string>;
}

/** A sign-in that loads its library at the first call. The library is a quarter of all code that a start would load. */
export function lazySignIn(load: () => Promise<SignIn>): SignIn {
  return {
    handle: async (request) => (await load()).handle(request),
    finishOidc: async (returned) => (await load()).finishOidc(returned),
    findSession: async (headers) => (await load()).findSession(headers),
    hashPassword: async (password) => (await load()).hashPassword(password),
    rememberDevice: async (email) => (await load()).rememberDevice(email),
  };
}
