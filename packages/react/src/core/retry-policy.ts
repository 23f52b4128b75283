import { UploadError } from "./upload-error.js";

export const retryPolicy = {
  maxAttempts: 5,
  firstDelayMs: 500,
  maxDelayMs: 20_000,
  /** A server that asks for a longer pause is not waited for behind a spinner: the person decides. */
  maxRetryAfterMs: 120_000,
} as const;

/** No answer, a timeout, too many requests, or a server's own fault: the same request may succeed later. */
export function isTransient(error: unknown): error is UploadError {
  if (!(error instanceof UploadError)) return false;
  const { code, status } = error;
  if (code === "network_error" || code === "timed_out") return true;
  return status === 408 || status === 429 || status >= 500;
}

/**
 * How long to wait before the next try, in milliseconds, or null when there shall be none. Full jitter: any
 * delay up to an exponentially growing one, so that many clients do not come back at once.
 *
 * @param attempt the one that just failed, from 1
 * @param random 0 to 1
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function retryDelayMs(
  attempt: number,
  retryAfterMs: number | undefined,
  random: number,
): number | null {
  if (attempt >= retryPolicy.maxAttempts) return null;
  if (retryAfterMs !== undefined && retryAfterMs > retryPolicy.maxRetryAfterMs) return null;
  const ceilingMs = Math.min(retryPolicy.maxDelayMs, retryPolicy.firstDelayMs * 2 ** (attempt - 1));
  return Math.round((retryAfterMs ?? 0) + random * ceilingMs);
}

/**
 * Reads a `Retry-After` header: seconds or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @returns milliseconds from now, or undefined for a header that is missing or makes no sense
 */
export function parseRetryAfter(header: string | null | undefined, nowMs: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
