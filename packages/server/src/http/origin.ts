import { StowageError } from "@stowage/schemas";

/** Origins of other sites whose pages may call the helper. */
export type AllowedOrigins = ReadonlySet<string>;

/**
 * Refuses requests from pages of other sites, which would act with this user's cookie (CSRF). It relies on `Sec-Fetch-Site` and
 * `Origin`: browsers set both, and no page can change them. A request without either does not come from a browser.
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
  throw new StowageError("cross_site");
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
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  if (!isHttp(protocol)) return false;
  const forwardedHost = request.headers.get("X-Forwarded-Host")?.split(",")[0]?.trim();
  const ownHost = request.headers.get("Host") ?? new URL(request.url).host;
  return [forwardedHost, ownHost].some(
    (name) => name !== undefined && normalizedHost(`${protocol}//${name}`) === host,
  );
}

/** Returns the host without the scheme's default port, as browsers write it. */
function normalizedHost(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

function isHttp(protocol: string): boolean {
  return protocol === "http:" || protocol === "https:";
}
