import type { Handler } from "../handler.js";

interface Helper {
  handler: Handler;
}

/**
 * Route handlers for Next's app router.
 *
 * `next build` loads every route. Where the key is not there at that time, as in an image that is built once for all
 * environments, give a function: it is called at the first request, and again at the next if it throws.
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
  let made: Helper | undefined;
  const handler: Handler = async (request) => {
    made ??= typeof stowage === "function" ? stowage() : stowage;
    return made.handler(request);
  };
  return { GET: handler, POST: handler, OPTIONS: handler };
}
