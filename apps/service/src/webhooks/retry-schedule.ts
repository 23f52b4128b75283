import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.js";

/** The pauses after the first, the second, … failed try. After the try that follows the last pause, a delivery has failed. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
];

/** A pause is up to this share longer, so that the deliveries of an outage do not all come back in the same second. */
const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = DAY_MS;
const FAILING_UNTIL_DISABLED_MS = 5 * DAY_MS;

/**
 * When to try a delivery again.
 *
 * @param tries how many tries have failed
 * @param options.retryAfterMs what the receiver asked for; null for nothing. At most 24 hours of it are waited
 * @param options.random from 0 up to 1
 * @returns null if the delivery has failed
 */
export function nextTryAt(
  tries: number,
  { now, retryAfterMs, random }: { now: Date; retryAfterMs: number | null; random: number },
): Date | null {
  const pauseMs = PAUSES_MS[tries - 1];
  if (pauseMs === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return addMs(now, Math.round(Math.max(pauseMs * (1 + JITTER * random), asked)));
}

/** Whether an endpoint has failed for so long that nothing is sent to it any more. */
export function hasFailedTooLong(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= FAILING_UNTIL_DISABLED_MS;
}

/**
 * Reads a `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3).
 *
 * @returns milliseconds; null without the header, or for one that is neither
 */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
