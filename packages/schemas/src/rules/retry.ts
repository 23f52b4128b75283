/**
 * Reads a `Retry-After` header: whole seconds, or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @returns milliseconds from now; undefined for a header that is missing or not valid
 */
export function parseRetryAfterMs(header: string | null | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isFinite(delayMs) ? Math.max(0, delayMs) : undefined;
}

/**
 * Exponential backoff with full jitter: a random delay below a limit that doubles with each retry. Clients that failed
 * together then do not come back together.
 *
 * @param retry number of the retry, from 0
 * @param random 0 to 1
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function fullJitterMs(
  retry: number,
  { firstDelayMs, maxDelayMs, random }: { firstDelayMs: number; maxDelayMs: number; random: number },
): number {
  return random * Math.min(maxDelayMs, firstDelayMs * 2 ** retry);
}
