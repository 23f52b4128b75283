import type { Runtime } from "../runtime.js";
import type { UploadTicket } from "../transport.js";
import type { UploadError } from "../upload-error.js";

/**
 * Starts to count when the ticket arrives, so a wrong system clock does not matter.
 *
 * It reads two clocks and takes the shorter time: the system clock may be set back, and in some browsers the monotonic
 * clock stops while the computer sleeps. A ticket that is replaced too early costs only one request.
 *
 * @returns a function that tells how many milliseconds the ticket is still valid
 */
export function trackExpiry(
  { expires_in }: Pick<UploadTicket, "expires_in">,
  { now, uptimeMs }: Pick<Runtime, "now" | "uptimeMs">,
): () => number {
  const expiresAtMs = now() + expires_in * 1000;
  const expiresAtUptimeMs = uptimeMs() + expires_in * 1000;
  return () => Math.min(expiresAtMs - now(), expiresAtUptimeMs - uptimeMs());
}

/** Tells whether storage refused the URL because it has expired. Storage answers 403, and some stores 400. */
export function looksExpired({ status, cause }: UploadError, validMs: number): boolean {
  if (status === 403) return true;
  return status === 400 && (validMs <= 0 || /expired/i.test(String(cause)));
}
