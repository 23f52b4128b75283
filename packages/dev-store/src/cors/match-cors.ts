import type { CorsRule } from "./cors-rule.js";

export interface CorsRequest {
  readonly origin: string;
  readonly method: string;
  /** The headers that a preflight asks for, in lower case. */
  readonly headers: readonly string[];
}

/** Reads the CORS headers of a request or of a preflight. Undefined for a request without `Origin`. */
export function readCorsRequest(
  method: string,
  headers: ReadonlyMap<string, string>,
): CorsRequest | undefined {
  const origin = headers.get("origin");
  if (origin === undefined) return undefined;
  const isPreflight = method === "OPTIONS";
  const asked = isPreflight ? (headers.get("access-control-request-headers") ?? "") : "";
  return {
    origin,
    method: isPreflight ? (headers.get("access-control-request-method") ?? "") : method,
    headers: asked.split(",").flatMap((name) => name.trim().toLowerCase() || []),
  };
}

/**
 * Returns the headers that let a page read the answer, from the first rule that matches; undefined if none matches. Errors
 * carry these headers too, because a page would otherwise see a network error instead of the reason.
 */
export function corsHeaders(
  rules: readonly CorsRule[],
  request: CorsRequest,
): Record<string, string> | undefined {
  const rule = rules.find(
    ({ allowedOrigins, allowedMethods, allowedHeaders }) =>
      allowedMethods.includes(request.method) &&
      allowedOrigins.some((pattern) => matchesPattern(pattern, request.origin)) &&
      request.headers.every((name) =>
        allowedHeaders.some((pattern) => matchesPattern(pattern.toLowerCase(), name)),
      ),
  );
  if (!rule) return undefined;
  const isAnyOrigin = rule.allowedOrigins.includes("*");
  return {
    "Access-Control-Allow-Origin": isAnyOrigin ? "*" : request.origin,
    ...(isAnyOrigin ? {} : { "Access-Control-Allow-Credentials": "true" }),
    "Access-Control-Allow-Methods": rule.allowedMethods.join(", "),
    ...(request.headers.length > 0 ? { "Access-Control-Allow-Headers": request.headers.join(", ") } : {}),
    ...(rule.exposeHeaders.length > 0
      ? { "Access-Control-Expose-Headers": rule.exposeHeaders.join(", ") }
      : {}),
    ...(rule.maxAgeSeconds === undefined ? {} : { "Access-Control-Max-Age": String(rule.maxAgeSeconds) }),
    Vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  };
}

function matchesPattern(pattern: string, text: string): boolean {
  const star = pattern.indexOf("*");
  if (star < 0) return pattern === text;
  const head = pattern.slice(0, star);
  const tail = pattern.slice(star + 1);
  return text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
}
