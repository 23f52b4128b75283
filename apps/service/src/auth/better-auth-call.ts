import { StowageError } from "@stowage/schemas";
import { DashboardError } from "@stowage/operator-schemas";
import type { Queries } from "#db/client.js";
import type { DashboardAddress } from "./dashboard-address.js";
import { withDatabaseErrors } from "./database-errors.js";
import { auditRefusedSignIn, type CallContext, callContext } from "./sign-in-audit.js";
import type { SignInRequest, SignInResponse } from "./sign-in.js";

export interface CallDeps {
  db: Queries;
  clock: () => Date;
  dashboard: DashboardAddress;
}

/** Carries the caller's IP address to the library. A caller cannot set it, because only FORWARDED_HEADERS are copied. */
export const ADDRESS_HEADER = "x-stowage-client-address";
/** Attempts per IP address and call, in a window of seconds. Enough for typing errors, too few for guessing passwords. */
export const ATTEMPTS = { window: 60, max: 10 };
/** Copied from the caller's request. The library gets no other header of it. */
const FORWARDED_HEADERS = [
  "cookie",
  "origin",
  "user-agent",
  "sec-fetch-site",
  "sec-fetch-mode",
  "sec-fetch-dest",
];

/**
 * Sends a sign-in call to better-auth, and translates its answer. A refused password or code gets an audit entry.
 *
 * @param path the library's own call, if it has another name. @default the call of the request
 * @throws {DashboardError | StowageError} the refusal that the library's error stands for
 */
export async function callLibrary(
  deps: CallDeps,
  handler: (request: Request) => Promise<Response>,
  request: SignInRequest,
  context: CallContext,
  path: string = request.call,
): Promise<SignInResponse> {
  const { headers, client } = request;
  const body = path === request.call ? withFixedOptions(request.body) : request.body;
  const response = await withDatabaseErrors(() =>
    callContext.run(context, () =>
      handler(requestLibrary(deps, { path, method: "POST", headers, body, client })),
    ),
  );
  try {
    return await readResponse(request, response, context);
  } catch (error) {
    const { email } = Object(request.body) as { email?: unknown };
    if (isRefusal(error)) await auditRefusedSignIn(deps, context, email);
    throw error;
  }
}

/** Makes a request to the library, with only the headers of the caller that it needs. */
export function requestLibrary(
  { dashboard }: Pick<CallDeps, "dashboard">,
  request: { path: string; method: "GET" | "POST"; body?: unknown } & Pick<
    SignInRequest,
    "headers" | "client"
  >,
): Request {
  const { path, method, headers, body, client } = request;
  const forwarded = new Headers({ "content-type": "application/json", [ADDRESS_HEADER]: client.ipAddress });
  for (const name of FORWARDED_HEADERS) {
    const value = headers.get(name);
    if (value !== null) forwarded.set(name, value);
  }
  const sent = method === "POST" ? { body: JSON.stringify(body) } : {};
  return new Request(`${dashboard.url()}/auth${path}`, { method, headers: forwarded, ...sent });
}

/**
 * Removes two options of the library: a trusted device would skip the second factor, and the dashboard needs no redirects. Sets
 * `revokeOtherSessions`. Only a change of the password reads it, and then gives the session a new token.
 */
function withFixedOptions(body: unknown): object {
  const { trustDevice: _, callbackURL: __, ...rest } = Object(body) as Record<string, unknown>;
  return { ...rest, revokeOtherSessions: true };
}

/** @throws {DashboardError | StowageError} the refusal that the library's error stands for */
async function readResponse(
  { call }: SignInRequest,
  response: Response,
  { lockedUntil }: CallContext,
): Promise<SignInResponse> {
  const body = (await response.json().catch(() => ({}))) as { message?: string; code?: string };
  if (response.ok) return { cookies: response.headers.getSetCookie(), body: withoutTokens(body) };
  if (response.status === 429) {
    // Uses the machine's clock, not deps.clock, because the library compares the lock with the machine's clock.
    const lockSeconds = lockedUntil ? Math.ceil((lockedUntil.getTime() - Date.now()) / 1000) : 0;
    const seconds = Number(response.headers.get("x-retry-after")) || lockSeconds || ATTEMPTS.window;
    throw new StowageError("too_many_requests", { retryAfterSeconds: Math.max(1, seconds) });
  }
  if (response.status === 401) {
    if (body.code === "INVALID_EMAIL_OR_PASSWORD") throw new DashboardError("wrong_credentials");
    const isWrongCode = call.startsWith("/two-factor/verify-") && body.code !== "INVALID_TWO_FACTOR_COOKIE";
    throw new DashboardError(isWrongCode ? "wrong_code" : "signed_out");
  }
  if (body.code === "INVALID_PASSWORD") throw new DashboardError("wrong_password");
  if (response.status === 403) throw new StowageError("cross_site");
  if (response.status === 404) throw new StowageError("not_found");
  if (response.status >= 500) throw new Error(`sign-in failed: ${body.code ?? response.status}`);
  throw new StowageError("invalid_request", body.message ? { detail: body.message } : {});
}

function isRefusal(error: unknown): boolean {
  return error instanceof DashboardError && ["wrong_credentials", "wrong_code"].includes(error.code);
}

/** Only the cookie may carry the session's token, because no script can read the cookie. */
function withoutTokens(body: object): object {
  const { token: _, session: __, ...rest } = body as Record<string, unknown>;
  return rest;
}
