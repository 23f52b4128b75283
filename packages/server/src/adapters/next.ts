import type { Handler } from "../handler.js";

/**
 * Route handlers for Next's app router.
 *
 * @example
 * // app/api/stowage/[...action]/route.ts
 * export const { POST } = toNextHandlers(stowage);
 */
export function toNextHandlers({ handler }: { handler: Handler }): { POST: Handler } {
  return { POST: handler };
}
