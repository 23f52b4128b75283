import type { Runtime } from "./runtime.js";
import type { UploadTicket } from "./transport.js";
import type { UploadError } from "./upload-error.js";

/**
 * Starts to count when the ticket arrives. Two clocks run, and the one that is further ahead is believed: the wall clock
 * may be set back, and the other one stands still in some browsers while the computer sleeps. Asking for one URL too many
 * is cheap.
 *
 * @returns how much of the ticket's life is left, in milliseconds
 */
export function startTicketLife(
  { expires_in }: UploadTicket,
  { now, uptimeMs }: Pick<Runtime, "now" | "uptimeMs">,
): () => number {
  const wallEndMs = now() + expires_in * 1000;
  const uptimeEndMs = uptimeMs() + expires_in * 1000;
  return () => Math.min(wallEndMs - now(), uptimeEndMs - uptimeMs());
}

/** Storage's refusal of a URL that has lapsed: a 403, and with some stores a 400. */
export function looksExpired({ status, cause }: UploadError, remainingMs: number): boolean {
  return status === 403 || (status === 400 && (remainingMs <= 0 || /expired/i.test(String(cause))));
}
