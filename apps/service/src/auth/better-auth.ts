import { StowageError } from "@stowage/schemas";
import { DashboardError, password } from "@stowage/schemas/dashboard";
import { hashPassword } from "better-auth/crypto";
import { betterAuth } from "better-auth/minimal";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Queries } from "#db/client.js";
import { authDatabase } from "./auth-database.js";
import type { DashboardAddress } from "./dashboard-address.js";
import { type ServedCall, servedCall, tellOfRefusal } from "./sign-in-audit.js";
import type { SignIn, SignInAnswer, SignInRequest } from "./sign-in.js";

export interface SignInOptions {
  db: Queries;
  clock: () => Date;
  /** As browsers see it: https makes cookies `Secure`. */
  dashboard: DashboardAddress;
  /** Signs cookies and encrypts the secrets of authenticator apps. Asked for when it is first needed. */
  readSecret: () => Promise<string>;
}

/** A header that no caller can send: what it says of itself is left out. */
const ADDRESS_HEADER = "x-stowage-client-address";
const PASSED_ON = ["cookie", "origin", "user-agent", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"];
const SESSION_SECONDS = 7 * 24 * 3600;
/** A person mistypes; a program that guesses is stopped. Counted by address and call. */
const TRIES = { window: 60, max: 10 };

/** Sign-in by the library better-auth: see docs/decisions/0010 for what it may decide, which is who somebody is. */
export function createSignIn(options: SignInOptions): SignIn {
  let auth: Promise<Auth> | undefined;
  const ready = () =>
    (auth ??= makeAuth(options).catch((error: unknown) => {
      auth = undefined;
      throw error;
    }));
  return {
    hashPassword,
    async handle(request) {
      const { handler } = await ready();
      const served: ServedCall = { call: request.call, from: request.from };
      const answer = await servedCall.run(served, () =>
        handler(toWebRequest(options.dashboard.url(), request)),
      );
      return readAnswer(request, answer, served).catch(async (error: unknown) => {
        const { email } = Object(request.body) as { email?: unknown };
        if (isRefusal(error)) await tellOfRefusal(options, served, email);
        throw error;
      });
    },
    async findSession(headers) {
      const cookie = headers.get("cookie");
      if (!cookie?.includes(SESSION_COOKIE)) return null;
      const { api } = await ready();
      const found = await api.getSession({ headers: new Headers({ cookie }), returnHeaders: true });
      if (!found.response) return null;
      const { id, name, email, isAdmin, twoFactorEnabled } = found.response.user;
      return {
        operator: { id, name, email, isAdmin: isAdmin === true, twoFactorEnabled: twoFactorEnabled === true },
        cookies: found.headers.getSetCookie(),
      };
    },
  };
}

const COOKIE_PREFIX = "stowage";
const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`;

type Auth = Awaited<ReturnType<typeof makeAuth>>;

async function makeAuth({ db, clock, dashboard, readSecret }: SignInOptions) {
  const secret = await readSecret();
  return betterAuth({
    appName: "Stowage",
    baseURL: dashboard.url(),
    basePath: "/auth",
    secret,
    database: authDatabase({ db, clock }),
    trustedOrigins: dashboard.origins(),
    user: {
      additionalFields: { isAdmin: { type: "boolean", input: false, required: false, defaultValue: false } },
    },
    session: { expiresIn: SESSION_SECONDS, fields: { userId: "operatorId" } },
    account: { fields: { userId: "operatorId" } },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: password.minLength ?? 0,
      maxPasswordLength: password.maxLength ?? Infinity,
    },
    plugins: [twoFactor({ issuer: "Stowage", schema: { twoFactor: { fields: { userId: "operatorId" } } } })],
    rateLimit: {
      enabled: true,
      storage: "database",
      customRules: { "/sign-in/*": TRIES, "/two-factor/*": TRIES, "/change-password": TRIES },
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax" },
      // Said, since the library leaves it out where NODE_ENV is "test".
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { validateSchema: false },
    },
    telemetry: { enabled: false },
    // What it would say is said by our log and the audit log.
    logger: { disabled: true },
    onAPIError: { throw: true },
  });
}

function toWebRequest(dashboardUrl: string, { call, headers, body, from }: SignInRequest): Request {
  const passedOn = new Headers({ "content-type": "application/json", [ADDRESS_HEADER]: from.ipAddress });
  for (const name of PASSED_ON) {
    const value = headers.get(name);
    if (value !== null) passedOn.set(name, value);
  }
  return new Request(`${dashboardUrl}/auth${call}`, {
    method: "POST",
    headers: passedOn,
    body: JSON.stringify(withoutExtras(body)),
  });
}

/** A device that is trusted would skip the second factor, and a redirect is for pages without script: neither is offered. */
function withoutExtras(body: unknown): object {
  const { trustDevice: _, callbackURL: __, ...rest } = Object(body) as Record<string, unknown>;
  return rest;
}

async function readAnswer(
  { call }: SignInRequest,
  answer: Response,
  { lockedUntil }: ServedCall,
): Promise<SignInAnswer> {
  const body = (await answer.json().catch(() => ({}))) as { message?: string; code?: string };
  if (answer.ok) return { cookies: answer.headers.getSetCookie(), body: withoutTokens(body) };
  if (answer.status === 429) {
    // By the library's own clock, which is the machine's: it is what the lock ends by.
    const lockSeconds = lockedUntil ? Math.ceil((lockedUntil.getTime() - Date.now()) / 1000) : 0;
    const seconds = Number(answer.headers.get("x-retry-after")) || lockSeconds || TRIES.window;
    throw new StowageError("too_many_requests", { retryAfterSeconds: Math.max(1, seconds) });
  }
  if (answer.status === 401) {
    if (body.code === "INVALID_EMAIL_OR_PASSWORD") throw new DashboardError("wrong_credentials");
    const isWrongCode = call.startsWith("/two-factor/verify-") && body.code !== "INVALID_TWO_FACTOR_COOKIE";
    throw new DashboardError(isWrongCode ? "wrong_code" : "signed_out");
  }
  if (body.code === "INVALID_PASSWORD") throw new DashboardError("wrong_password");
  if (answer.status === 403) throw new StowageError("cross_site");
  if (answer.status === 404) throw new StowageError("not_found");
  if (answer.status >= 500) throw new Error(`sign-in failed: ${body.code ?? answer.status}`);
  throw new StowageError("invalid_request", body.message ? { detail: body.message } : {});
}

function isRefusal(error: unknown): boolean {
  return error instanceof DashboardError && ["wrong_credentials", "wrong_code"].includes(error.code);
}

/** The session's token is for the cookie alone, where no script can read it. */
function withoutTokens(body: object): object {
  const { token: _, session: __, ...rest } = body as Record<string, unknown>;
  return rest;
}
