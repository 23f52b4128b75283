import { onAbort } from "./on-abort.js";

/**
 * Creates an `AbortController` that also aborts when `outer` does. Call `unlink` when the work has ended.
 *
 * Not `AbortSignal.any`: Node 20 keeps every signal made by it in the memory of `outer`, and a customer may pass the same signal
 * to many calls.
 */
export function linkController(outer: AbortSignal): { controller: AbortController; unlink: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(outer.reason);
  if (outer.aborted) abort();
  return { controller, unlink: onAbort(outer, abort) };
}
