import type { CorsRule } from "./cors-rule.js";

export interface CorsQuestion {
  readonly origin: string;
  readonly method: string;
  /** Asked for by a preflight, lower case. */
  readonly headers: readonly string[];
}

/** What a page's browser asks before, and what it sends with, a request of another origin. */
export function readCorsQuestion(
  method: string,
  headers: ReadonlyMap<string, string>,
): CorsQuestion | undefined {
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
 * The headers that let a page read the answer, by the first rule that fits, or undefined when none does. Refusals
 * carry them as well: without them a page sees a network error where the store said why.
 */
export function corsHeaders(
  rules: readonly CorsRule[],
  question: CorsQuestion,
): Record<string, string> | undefined {
  const rule = rules.find(
    ({ allowedOrigins, allowedMethods, allowedHeaders }) =>
      allowedMethods.includes(question.method) &&
      allowedOrigins.some((pattern) => fits(pattern, question.origin)) &&
      question.headers.every((name) => allowedHeaders.some((pattern) => fits(pattern.toLowerCase(), name))),
  );
  if (!rule) return undefined;
  const isAnyOrigin = rule.allowedOrigins.includes("*");
  return {
    "Access-Control-Allow-Origin": isAnyOrigin ? "*" : question.origin,
    ...(isAnyOrigin ? {} : { "Access-Control-Allow-Credentials": "true" }),
    "Access-Control-Allow-Methods": rule.allowedMethods.join(", "),
    ...(question.headers.length > 0 ? { "Access-Control-Allow-Headers": question.headers.join(", ") } : {}),
    ...(rule.exposeHeaders.length > 0
      ? { "Access-Control-Expose-Headers": rule.exposeHeaders.join(", ") }
      : {}),
    ...(rule.maxAgeSeconds === undefined ? {} : { "Access-Control-Max-Age": String(rule.maxAgeSeconds) }),
    Vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  };
}

function fits(pattern: string, text: string): boolean {
  const star = pattern.indexOf("*");
  if (star < 0) return pattern === text;
  const head = pattern.slice(0, star);
  const tail = pattern.slice(star + 1);
  return text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
}
