import type { Handler } from "../http/handler.js";

interface Helper {
  handler: Handler;
}

/**
 * Creates the route handlers for Next's app router.
 *
 * `next build` loads every route. If the API key is missing during the build, as in a container image for all environments, pass
 * a function: it is called on the first request, and again on the next one if it throws.
 *
 * @example
 * // app/api/stowage/[...action]/route.ts
 * export const { GET, POST, OPTIONS } = toNextHandlers(stowage);
 * @example
 * export const { GET, POST, OPTIONS } = toNextHandlers(() => createStowage({ … }));
 */
export function toNextHandlers(
  stowage: Helper | (() => Helper),
): Record<"GET" | "POST" | "OPTIONS", Handler> {
  let helper: Helper | undefined;
  const handler: Handler = async (request) => {
    helper ??= typeof stowage === "function" ? stowage() : stowage;
    return helper.handler(request);
  };
  return { GET: handler, POST: handler, OPTIONS: handler };
}
