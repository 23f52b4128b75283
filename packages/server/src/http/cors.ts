import { StowageError } from "@stowage/schemas";
import { allowedOriginOf, type AllowedOrigins } from "./origin.js";

/** Two hours: no browser keeps a preflight's result for longer. */
const PREFLIGHT_MAX_AGE_SECONDS = 7200;

export function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("Origin") && headers.has("Access-Control-Request-Method");
}

/** @throws {StowageError} `cross_site` for an origin that is not allowed */
export function preflightResponse(allowedOrigins: AllowedOrigins, request: Request): Response {
  if (allowedOriginOf(allowedOrigins, request) === undefined) throw new StowageError("cross_site");
  const requestedHeaders = request.headers.get("Access-Control-Request-Headers");
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": "GET, POST",
      // Every header is allowed: the customer's `tenant` may read any of them.
      "Access-Control-Allow-Headers": requestedHeaders ?? "content-type",
      "Access-Control-Max-Age": `${PREFLIGHT_MAX_AGE_SECONDS}`,
    },
  });
}

/** Adds the headers that let a page of an allowed origin read the response, also if it is a refusal. */
export function addCorsHeaders(
  allowedOrigins: AllowedOrigins,
  request: Request,
  response: Response,
): Response {
  const origin = allowedOriginOf(allowedOrigins, request);
  if (origin === undefined) return response;
  const { headers } = response;
  headers.set("Access-Control-Allow-Origin", origin);
  headers.set("Access-Control-Allow-Credentials", "true");
  headers.set("Access-Control-Expose-Headers", "Retry-After");
  headers.set("Vary", request.method === "OPTIONS" ? "Origin, Access-Control-Request-Headers" : "Origin");
  return response;
}
