import { StowageError } from "@stowage/schemas";
import type { Config } from "./config.js";

type Allowed = Pick<Config, "allowedOrigins">;

/**
 * Keeps the pages of other sites from acting with this user's cookie. Browsers write both headers themselves, and no page
 * can change them; a caller without either is no browser, and has no cookie of anybody's but its own.
 *
 * @throws {StowageError} `cross_site`
 */
export function refuseCrossSite(config: Allowed, request: Request): void {
  const site = request.headers.get("Sec-Fetch-Site");
  if (site === "same-origin" || site === "none") return;
  const origin = request.headers.get("Origin");
  if (origin === null && site === null) return;
  if (origin !== null && config.allowedOrigins.has(origin)) return;
  // Only older browsers leave Sec-Fetch-Site out; it is also left out over plain http.
  if (origin !== null && site === null && isOwnOrigin(origin, request)) return;
  throw new StowageError("cross_site");
}

/** The origin of a page elsewhere that may call, as it is written in CORS headers. */
export function allowedOriginOf({ allowedOrigins }: Allowed, request: Request): string | undefined {
  const origin = request.headers.get("Origin");
  return origin !== null && allowedOrigins.has(origin) ? origin : undefined;
}

/** Whether a text is what a browser sends as `Origin`: a scheme and a host in lower case, no path. */
export function isOrigin(text: string): boolean {
  if (text === "null") return true;
  if (!URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  // Schemes that the URL standard does not know, such as an app's own, have no origin of their own there.
  return /^https?:$/.test(protocol) ? origin === text : /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.:-]+$/.test(text);
}

// By the host alone: behind a proxy that ends TLS, the helper does not know the scheme that the browser sees.
function isOwnOrigin(origin: string, request: Request): boolean {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  const forwarded = request.headers.get("X-Forwarded-Host")?.split(",")[0]?.trim();
  const own = request.headers.get("Host") ?? new URL(request.url).host;
  return [forwarded, own].some((name) => name !== undefined && hostOf(`${protocol}//${name}`) === host);
}

/** With the scheme's own port left out, as browsers write it. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}
