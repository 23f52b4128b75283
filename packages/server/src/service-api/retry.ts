import { StowageError, type ErrorCode } from "@stowage/schemas";
import { fullJitterMs } from "@stowage/schemas/rules";
import { onAbort } from "../on-abort.js";

/** Returns how many milliseconds to wait before a retry. `retry` is 0 for the first retry. */
export type RetryDelay = (retry: number) => number;

export interface RetryPolicy {
  /** Maximum number of retries after the first attempt. */
  retries: number;
  delayMs: RetryDelay;
  /** If the `Retry-After` of an error is longer than this, the call is not retried. */
  maxDelayMs: number;
  /** The call is retried only after an error with one of these codes. */
  codes: readonly ErrorCode[];
}

/**
 * Exponential backoff with full jitter, so that clients that failed together do not retry together.
 *
 * @param random returns a number from 0 to 1
 */
export const fullJitter =
  (firstDelayMs: number, maxDelayMs: number, random: () => number = Math.random): RetryDelay =>
  (retry) =>
    fullJitterMs(retry, { firstDelayMs, maxDelayMs, random: random() });

/** Short, because a user waits for the answer. If the retries fail, the widget retries too, for longer. */
const BROWSER_MAX_DELAY_MS = 2_000;
/** The delays between the helper's calls to the service while a browser waits for the helper. */
export const browserRetryDelayMs: RetryDelay = fullJitter(300, BROWSER_MAX_DELAY_MS);

/** Calls an idempotent operation. If it fails with `unavailable`, calls it again, up to three calls in all. */
export async function retryUnavailable<T>(
  call: () => Promise<T>,
  delayMs: RetryDelay,
  signal: AbortSignal,
): Promise<T> {
  const policy: RetryPolicy = {
    retries: 2,
    delayMs,
    maxDelayMs: BROWSER_MAX_DELAY_MS,
    codes: ["unavailable"],
  };
  return retryCall(call, policy, signal);
}

/**
 * Calls an operation, and repeats the call after a failure if the policy allows it.
 *
 * @throws the last failure; if `signal` aborts during a wait, the failure before that wait
 */
export async function retryCall<T>(
  call: () => Promise<T>,
  { retries, delayMs, maxDelayMs, codes }: RetryPolicy,
  signal: AbortSignal,
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await call();
    } catch (thrown) {
      if (!(thrown instanceof StowageError) || !codes.includes(thrown.code)) throw thrown;
      const waitMs = Math.max(delayMs(retry), (thrown.retryAfterSeconds ?? 0) * 1000);
      if (waitMs > maxDelayMs || retry >= retries) throw thrown;
      await sleep(waitMs, signal);
      if (signal.aborted) throw thrown;
    }
  }
}

/** Resolves after `ms`, or as soon as `signal` aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      stopListening();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const stopListening = onAbort(signal, end);
  });
}
