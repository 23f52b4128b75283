import { fullJitterMs } from "@stowage/schemas/page-rules";
import type { UploadError, UploadErrorCode } from "../upload-error.js";

export const MAX_ATTEMPTS = 5;
export const MAX_DELAY_MS = 20_000;
const FIRST_DELAY_MS = 500;
/** When a server asks for a longer pause, the upload fails and the person decides when to retry. */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * `upload_not_found` is one of them because some stores show an object only a moment after they took it, and `variant_pending` because a
 * route may wait for the variant of a picture.
 */
const TRANSIENT_CODES: ReadonlySet<UploadErrorCode> = new Set([
  "network_error",
  "server_unreachable",
  "storage_unreachable",
  "timed_out",
  "upload_not_found",
  "variant_pending",
]);

/** Tells whether the same request may succeed later. */
export function isTransient(error: unknown): error is UploadError {
  const { code, status } = error as UploadError;
  // The file is stored, and the customer's own callback failed: only a person should run that callback again.
  if (code === "callback_failed") return false;
  return TRANSIENT_CODES.has(code) || status === 408 || status === 429 || status >= 500;
}

/** Tells whether the server gets more requests than it can take, so that every upload must slow down. */
export function isOverloaded({ status }: UploadError): boolean {
  return status === 429 || status === 503;
}

/**
 * Returns how long to wait before the next attempt, in milliseconds, or null to give up. The delay is what the
 * server asked for, plus exponential backoff with full jitter.
 *
 * @param attempt number of the attempt that just failed, from 1
 * @param retryAfterMs what the server asked for, or 0
 * @param random 0 to 1
 */
export function retryDelayMs(attempt: number, retryAfterMs: number, random: number): number | null {
  if (attempt >= MAX_ATTEMPTS || retryAfterMs > MAX_RETRY_AFTER_MS) return null;
  const jitterMs = fullJitterMs(attempt - 1, {
    firstDelayMs: FIRST_DELAY_MS,
    maxDelayMs: MAX_DELAY_MS,
    random,
  });
  return Math.round(retryAfterMs + jitterMs);
}
