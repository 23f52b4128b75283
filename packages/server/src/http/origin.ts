import { StowageError } from "@stowage/schemas";
import { operatorError } from "../errors.js";

/** Origins of other sites whose pages may call the helper. */
export type AllowedOrigins = ReadonlySet<string>;

/**
 * Refuses requests from pages of other sites, which would act with this user's cookie (CSRF). It relies on `Sec-Fetch-Site` and
 * `Origin`: browsers set both, and no page can change them. A request without either comes from a program, or it is a GET of an
 * older browser or over plain http. Such a GET changes nothing, and a page of another site cannot read its answer.
 *
 * @throws {StowageError} `cross_site`
 */
export function refuseCrossSite(allowedOrigins: AllowedOrigins, request: Request): void {
  const site = request.headers.get("Sec-Fetch-Site");
  if (site === "same-origin" || site === "none") return;
  const origin = request.headers.get("Origin");
  if (origin === null && site === null) return;
  if (origin !== null && allowedOrigins.has(origin)) return;
  // Older browsers do not send Sec-Fetch-Site. Newer ones leave it out over plain http.
  if (origin !== null && site === null && isOwnOrigin(origin, request)) return;
  if (origin !== null && site === null && isForwardedOrigin(origin, request)) {
    throw hiddenHostError(allowedOrigins, origin);
  }
  throw new StowageError("cross_site");
}

/**
 * The same for a GET that a link or an image makes. Its answer is a redirect that no page can read, so two more are allowed: pages of
 * the same site, whose images send no Origin, and a person who follows a link, such as one in an e-mail.
 *
 * @throws {StowageError} `cross_site`
 */
export function refuseCrossSiteLink(allowedOrigins: AllowedOrigins, request: Request): void {
  const { headers } = request;
  if (headers.get("Sec-Fetch-Site") === "same-site") return;
  const isFollowedLink =
    headers.get("Sec-Fetch-Mode") === "navigate" && headers.get("Sec-Fetch-Dest") === "document";
  if (!isFollowedLink) refuseCrossSite(allowedOrigins, request);
}

/** Returns the request's origin for the CORS headers, if it is an allowed one of another site. */
export function allowedOriginOf(allowedOrigins: AllowedOrigins, request: Request): string | undefined {
  const origin = request.headers.get("Origin");
  return origin !== null && allowedOrigins.has(origin) ? origin : undefined;
}

/** Whether a text has the form of an `Origin` header: a scheme and a host in lower case, without a path; or "null". */
export function isOrigin(text: string): boolean {
  if (text === "null") return true;
  if (!URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  if (isHttp(protocol)) return origin === text;
  // For other schemes, such as `capacitor://localhost`, the URL standard returns the origin "null".
  return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.:-]+$/.test(text);
}

// Compares hosts only: behind a proxy that ends TLS, the helper does not know the scheme that the browser sees.
function isOwnOrigin(origin: string, request: Request): boolean {
  return hasHost(origin, request.headers.get("Host") ?? new URL(request.url).host);
}

/**
 * Whether the page's host is in X-Forwarded-Host. That proves nothing, because a client can send the header, and the helper cannot
 * know whether a proxy replaces it. It only explains a refusal.
 */
function isForwardedOrigin(origin: string, request: Request): boolean {
  const [forwardedHost = ""] = request.headers.get("X-Forwarded-Host")?.split(",") ?? [];
  return hasHost(origin, forwardedHost.trim());
}

function hasHost(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: hostOfOrigin } = new URL(origin);
  return isHttp(protocol) && normalizedHost(`${protocol}//${host}`) === hostOfOrigin;
}

/** Any client can cause the report of a new origin, so a helper makes only this many. */
const MAX_REPORTED_ORIGINS = 10;
const reportedOrigins = new WeakMap<AllowedOrigins, Set<string>>();

/** Tells the operator, once for each origin, what to set if the refused page is their own. */
function hiddenHostError(allowedOrigins: AllowedOrigins, origin: string): StowageError {
  const reported = reportedOrigins.get(allowedOrigins) ?? new Set();
  reportedOrigins.set(allowedOrigins, reported);
  if (reported.has(origin) || reported.size === MAX_REPORTED_ORIGINS) return new StowageError("cross_site");
  reported.add(origin);
  return operatorError(
    "cross_site",
    `Refused a page of ${origin}, because Host names another host. If the page is yours, a proxy in front of this server replaces Host: let the proxy pass it on unchanged, or add "${origin}" to allowedOrigins`,
  );
}

/** Returns the host without the scheme's default port, as browsers write it. */
function normalizedHost(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

function isHttp(protocol: string): boolean {
  return protocol === "http:" || protocol === "https:";
}
