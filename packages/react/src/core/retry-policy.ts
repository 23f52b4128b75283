import type { UploadError } from "./upload-error.js";

export const MAX_ATTEMPTS = 5;
const FIRST_DELAY_MS = 500;
export const MAX_DELAY_MS = 20_000;
/** A server that asks for a longer pause is not waited for behind a spinner: the person decides. */
const MAX_RETRY_AFTER_MS = 120_000;

/** No answer, a timeout, too many requests, or a server's own fault: the same request may succeed later. */
export function isTransient(error: unknown): error is UploadError {
  const { code, status } = error as UploadError;
  return (
    // The page's backend has the file and failed at its own part: a person decides whether to ask it again.
    code !== "callback_failed" &&
    // Some stores show an object a moment after they took it.
    (["network_error", "timed_out", "upload_not_found"].includes(code) ||
      status === 408 ||
      status === 429 ||
      status >= 500)
  );
}

/**
 * How long to wait before the next try, in milliseconds, or null when there shall be none. Full jitter: any
 * delay up to an exponentially growing one, so that many clients do not come back at once.
 *
 * @param attempt the one that just failed, from 1
 * @param retryAfterMs what the server asked for, else 0
 * @param random 0 to 1
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function retryDelayMs(attempt: number, retryAfterMs: number, random: number): number | null {
  if (attempt >= MAX_ATTEMPTS || retryAfterMs > MAX_RETRY_AFTER_MS) return null;
  return Math.round(retryAfterMs + random * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)));
}

/**
 * Reads a `Retry-After` header: seconds or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @returns milliseconds from now; 0 for a header that is missing or makes no sense
 */
export function parseRetryAfter(header: string | null | undefined, nowMs: number): number {
  const text = header ?? "";
  return Math.max(0, Number(text) * 1000 || Date.parse(text) - nowMs || 0);
}
