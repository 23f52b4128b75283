import { StowageError } from "@stowage/schemas";
import type { Answer } from "./answer.js";
import type { Config } from "./config.js";
import { allowedOriginOf } from "./origin.js";

type Allowed = Pick<Config, "allowedOrigins">;

/** Two hours: the longest that every browser keeps it. */
const PREFLIGHT_SECONDS = 7200;

/** Whether a browser asks if a page of another origin may call. */
export function isPreflight(request: Request): boolean {
  const { method, headers } = request;
  return method === "OPTIONS" && headers.has("Origin") && headers.has("Access-Control-Request-Method");
}

/** @throws {StowageError} `cross_site` for an origin that is not allowed */
export function answerPreflight(config: Allowed, request: Request): Answer {
  if (allowedOriginOf(config, request) === undefined) throw new StowageError("cross_site");
  const asked = request.headers.get("Access-Control-Request-Headers");
  return {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": "GET, POST",
      // Whatever the page's own headers are: they reach the customer's `tenant`, which alone knows what they mean.
      "Access-Control-Allow-Headers": asked ?? "content-type",
      "Access-Control-Max-Age": `${PREFLIGHT_SECONDS}`,
    },
    body: "",
  };
}

/** Lets the page of an allowed origin read the answer, a refusal as well. */
export function allowOrigin(config: Allowed, request: Request, answer: Answer): Answer {
  const origin = allowedOriginOf(config, request);
  if (origin === undefined) return answer;
  const headers = {
    ...answer.headers,
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Expose-Headers": "Retry-After",
    Vary: request.method === "OPTIONS" ? "Origin, Access-Control-Request-Headers" : "Origin",
  };
  return { ...answer, headers };
}
