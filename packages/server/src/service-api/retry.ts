import { StowageError, type ErrorCode } from "@stowage/schemas";
import { fullJitterMs } from "@stowage/schemas/rules";

/** Returns the milliseconds to wait before a retry. The first retry is number 0. */
export type RetryDelay = (retry: number) => number;

export interface RetryPolicy {
  /** Retries after the first attempt, at most. */
  retries: number;
  delayMs: RetryDelay;
  /** If a `Retry-After` asks for more, the call is not retried and the error carries the wait. */
  maxDelayMs: number;
  /** Only errors with one of these codes are retried. */
  codes: readonly ErrorCode[];
}

/**
 * Exponential backoff with full jitter, so that clients that failed together do not retry together.
 *
 * @param random returns 0 to 1
 */
export const fullJitter =
  (firstDelayMs: number, maxDelayMs: number, random: () => number = Math.random): RetryDelay =>
  (retry) =>
    fullJitterMs(retry, { firstDelayMs, maxDelayMs, random: random() });

/** Short, because a user waits for the response. The widget retries for longer and can show that it does. */
const BROWSER_MAX_DELAY_MS = 2_000;
export const browserRetryDelayMs: RetryDelay = fullJitter(300, BROWSER_MAX_DELAY_MS);

/** Calls an idempotent operation up to three times while the service is `unavailable`. */
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
 * Calls an operation again for as long as the policy allows.
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
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
