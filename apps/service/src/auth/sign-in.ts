import type { From, Operator } from "#audit/caller.js";

/** The calls of signing in that the dashboard may make, below `/auth`. Everything else that the library offers is closed. */
export const signInCalls = [
  "/sign-in/email",
  "/sign-out",
  "/change-password",
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/verify-totp",
  "/two-factor/verify-backup-code",
  "/two-factor/generate-backup-codes",
] as const;

export type SignInCall = (typeof signInCalls)[number];

/** What a sign-in call came with. */
export interface SignInRequest {
  call: SignInCall;
  headers: Headers;
  body: unknown;
  from: From;
}

export interface SignInAnswer {
  /** Whole `Set-Cookie` values. */
  cookies: string[];
  body: unknown;
}

export interface Session {
  operator: Operator;
  /** Whole `Set-Cookie` values that keep the session going. */
  cookies: string[];
}

/** How people prove who they are. What they may do is none of its business: see find-membership.ts. */
export interface SignIn {
  /**
   * @throws {DashboardError} `wrong_credentials`, `wrong_code`, `wrong_password`, `signed_out`
   * @throws {StowageError} `too_many_requests`, `invalid_request`, `cross_site`, `unavailable`
   */
  handle(request: SignInRequest): Promise<SignInAnswer>;
  /** Whose session the cookies of a request are; null for nobody's. @throws {StowageError} `unavailable` */
  findSession(headers: Headers): Promise<Session | null>;
  /** A password as it may be kept. */
  hashPassword(password: string): Promise<string>;
}
