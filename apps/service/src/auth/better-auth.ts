import { StowageError } from "@stowage/schemas";
import { DashboardError, password } from "@stowage/operator-schemas";
import { betterAuth } from "better-auth/minimal";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Queries } from "#db/client.js";
import { lazy } from "#lib/lazy.js";
import type { RandomBytes } from "#lib/random.js";
import { createAuthDatabase } from "./auth-database.js";
import { ADDRESS_HEADER, ATTEMPTS, callLibrary } from "./better-auth-call.js";
import { createOidc, type Oidc } from "./better-auth-oidc.js";
import { createPasswords, type Passwords } from "./better-auth-passwords.js";
import type { AdmitByOidc, OidcSettings } from "./oidc.js";
import { acceptCodesOnce } from "./better-auth-totp.js";
import { budgetOfCall } from "./budget-of-call.js";
import type { DashboardAddress } from "./dashboard-address.js";
import { withDatabaseErrors } from "./database-errors.js";
import { createDeviceCookies } from "./device-cookie.js";
import { withPasswordBudget } from "./password-budget.js";
import type { ScryptQueue } from "./scrypt-queue.js";
import { type CallContext, callContext } from "./sign-in-audit.js";
import type { SignIn, SignInRequest, SignInResponse } from "./sign-in.js";

interface SignInOptions {
  db: Queries;
  clock: () => Date;
  scrypt: ScryptQueue;
  randomBytes: RandomBytes;
  /** With an https address, cookies are `Secure`. */
  dashboard: DashboardAddress;
  /** Reads the secret that signs cookies and encrypts the secrets of authenticator apps. Called when a request first needs it. */
  readSecret: () => Promise<string>;
  /** Refuses passwords, except those of operators with an exception. */
  isPasswordOff: boolean;
  /** Null: no sign-in with OpenID Connect. */
  oidc: {
    settings: OidcSettings;
    admit: AdmitByOidc;
    /** Tells the engineer why sign-ins fail. The error contains no personal data and no secret. */
    onOidcFailure: (error: Error) => void;
  } | null;
}

const COOKIE_PREFIX = "stowage";
const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`;
const SESSION_SECONDS = 7 * 24 * 3600;
/** A request extends its session, and stores the time of its last use, if the stored time is older than this. */
const SESSION_UPDATE_SECONDS = 5 * 60;
/** A column of ours. No call of the library may set it. */
const OWN_FLAG = { type: "boolean", input: false, required: false, defaultValue: false } as const;

/** Implements the sign-in port with better-auth. The library only identifies operators (docs/decisions/0010). */
export function createSignIn(options: SignInOptions): SignIn {
  const passwords = createPasswords(options.scrypt);
  const load = lazy(() => loadSignIn({ ...options, passwords }));
  return {
    hashPassword: passwords.hash,
    async handle(request) {
      const { secret, auth, oidc, devices, findSessionId, confirmPassword } = await load();
      const context: CallContext = { call: request.call, client: request.client };
      const call = () => {
        if (request.call === "/sign-in/oidc") return requireOidc(oidc).startSignIn(request, context);
        if (request.call === "/oidc/connect") {
          const confirm = (password: string) => confirmPassword(request.headers, password, context);
          return requireOidc(oidc).startConnect(request, context, confirm);
        }
        return callLibrary(options, auth.handler, request, context);
      };
      const budget = await budgetOfCall({ secret, devices, findSessionId }, request);
      const response = await (budget === null
        ? call()
        : withPasswordBudget(options, budget, call, isWrongPassword));
      const email = emailOfSignIn(request, response, context);
      if (email !== null) response.cookies.push(devices.issue(email));
      return response;
    },
    async finishOidc(returned) {
      const { oidc, devices } = await load();
      const answer = await requireOidc(oidc).finish(returned);
      if (answer.email !== null) answer.cookies.push(devices.issue(answer.email));
      return answer;
    },
    async rememberDevice(email) {
      const { devices } = await load();
      return devices.issue(email);
    },
    async findSession(headers) {
      const cookie = headers.get("cookie");
      if (!cookie?.includes(SESSION_COOKIE)) return null;
      const { auth } = await load();
      const found = await withDatabaseErrors(() =>
        auth.api.getSession({ headers: new Headers({ cookie }), returnHeaders: true }),
      ).catch(nullIfUnauthorized);
      if (!found?.response) return null;
      const { id, name, email, isAdmin, hasProjectGrant, twoFactorEnabled, mayUsePassword } =
        found.response.user;
      const { id: sessionId, signedInBy, providerSecondFactor, endsAt } = found.response.session;
      const isOver = endsAt instanceof Date && endsAt <= options.clock();
      // A session from before the setting.
      const isRefused = options.isPasswordOff && signedInBy !== "oidc" && mayUsePassword !== true;
      if (isOver || isRefused) return null;
      return {
        id: sessionId,
        signedInBy: signedInBy === "oidc" ? "oidc" : "password",
        hasProviderFactor: providerSecondFactor === true,
        operator: {
          id,
          name,
          email,
          isAdmin: isAdmin === true,
          hasProjectGrant: hasProjectGrant === true,
          twoFactorEnabled: twoFactorEnabled === true,
        },
        cookies: found.headers.getSetCookie(),
        isTwoFactorRequired: false,
      };
    },
  };
}

async function loadSignIn(options: SignInOptions & { passwords: Passwords }) {
  const { dashboard, randomBytes } = options;
  const secret = await options.readSecret();
  const auth = createAuth({ ...options, secret });
  const oidc =
    options.oidc &&
    createOidc({ ...options, ...options.oidc }, (plugin) => createAuth({ ...options, secret }, plugin));
  return {
    secret,
    auth,
    oidc,
    confirmPassword: async (headers: Headers, password: string, context: CallContext) => {
      const cookie = new Headers({ cookie: headers.get("cookie") ?? "" });
      const found = await withDatabaseErrors(() => auth.api.getSession({ headers: cookie }));
      if (!found) throw new DashboardError("signed_out");
      await withDatabaseErrors(() =>
        callContext.run(context, () => auth.api.verifyPassword({ headers: cookie, body: { password } })),
      ).catch((error: unknown) => {
        if (Object(error).statusCode === 400) throw new DashboardError("wrong_password");
        throw error;
      });
      return { operatorId: found.user.id, sessionId: found.session.id };
    },
    devices: createDeviceCookies({
      secret,
      randomBytes,
      dashboard,
    }),
    findSessionId: async (headers: Headers) => {
      const cookie = new Headers({ cookie: headers.get("cookie") ?? "" });
      const found = await withDatabaseErrors(() =>
        auth.api.getSession({ headers: cookie, query: { disableRefresh: true } }),
      );
      return found?.session.id ?? null;
    },
  };
}

function requireOidc(oidc: Oidc | null): Oidc {
  if (!oidc) throw new StowageError("not_found");
  return oidc;
}

/** Creates better-auth with our tables, limits and cookies. */
function createAuth(
  {
    db,
    clock,
    dashboard,
    passwords,
    secret,
    isPasswordOff,
  }: SignInOptions & { passwords: Passwords; secret: string },
  oidcPlugin?: Parameters<Parameters<typeof createOidc>[1]>[0],
) {
  return betterAuth({
    appName: "Stowage",
    baseURL: dashboard.origins()[0]!,
    basePath: `${dashboard.basePath}/auth`,
    secret,
    // It would load OpenTelemetry's API, and its spans record messages of errors.
    experimental: { instrumentation: { enabled: false } },
    database: createAuthDatabase({ db, clock, isPasswordOff }),
    trustedOrigins: dashboard.origins(),
    user: {
      additionalFields: { isAdmin: OWN_FLAG, hasProjectGrant: OWN_FLAG, mayUsePassword: OWN_FLAG },
    },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: SESSION_UPDATE_SECONDS,
      fields: { userId: "operatorId" },
      additionalFields: {
        signedInBy: { type: "string", input: false, required: false, defaultValue: "password" },
        providerSecondFactor: OWN_FLAG,
        endsAt: { type: "date", input: false, required: false },
      },
    },
    account: {
      fields: { userId: "operatorId" },
      // Our code connects accounts (members/admit-by-oidc.ts), and no token of the provider is stored.
      accountLinking: { enabled: false },
      updateAccountOnSignIn: false,
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: password.minLength ?? 0,
      maxPasswordLength: password.maxLength ?? Infinity,
      password: passwords,
    },
    plugins: [
      twoFactor({ issuer: "Stowage", schema: { twoFactor: { fields: { userId: "operatorId" } } } }),
      ...(oidcPlugin ? [oidcPlugin] : []),
    ],
    hooks: { before: acceptCodesOnce({ db }) },
    rateLimit: {
      enabled: true,
      storage: "database",
      customRules: {
        // No secret can be guessed here, and a whole office may share an address.
        "/sign-in/social": { window: 60, max: 60 },
        "/callback/*": { window: 60, max: 60 },
        "/sign-in/*": ATTEMPTS,
        "/two-factor/*": ATTEMPTS,
        "/change-password": ATTEMPTS,
      },
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      // Other paths of the same host do not get the cookies.
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: dashboard.basePath || "/" },
      // Set explicitly, because the library disables both checks when NODE_ENV is "test".
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { validateSchema: false },
    },
    telemetry: { enabled: false },
    // The service's log and the audit log replace the library's log.
    logger: { disabled: true },
    onAPIError: { throw: true },
  });
}

/** The library throws a 401 if the session ends while a request extends it. */
function nullIfUnauthorized(error: unknown): null {
  if (Object(error).statusCode === 401) return null;
  throw error;
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof DashboardError && ["wrong_credentials", "wrong_password"].includes(error.code);
}

/** Returns the e-mail address of the operator whom a call has signed in, or null. An operator with a second factor is signed in by the code. */
function emailOfSignIn(
  { call, body }: SignInRequest,
  response: SignInResponse,
  { operator }: CallContext,
): string | null {
  if (call.startsWith("/two-factor/verify-")) return operator?.email ?? null;
  const { twoFactorRedirect } = response.body as { twoFactorRedirect?: unknown };
  return call === "/sign-in/email" && !twoFactorRedirect ? String(Object(body).email) : null;
}
