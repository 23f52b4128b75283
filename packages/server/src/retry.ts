import { StowageError, type ErrorCode } from "@stowage/schemas";
import { type Stop, TimeLimit } from "./limit-time.js";

/** Milliseconds to wait before the nth retry, counted from 0. */
export type RetryDelay = (retry: number) => number;

export interface RetryRule {
  /** How often a call is made again, at most. */
  retries: number;
  delayMs: RetryDelay;
  /** A service that asks for a longer wait is left alone: the error says how long. */
  longestWaitMs: number;
  /** The failures that a later try may not meet. */
  codes: readonly ErrorCode[];
}

/** Full jitter: clients that failed together do not come back together. */
export const fullJitter =
  (firstDelayMs: number, longestDelayMs: number, random: () => number = Math.random): RetryDelay =>
  (retry) =>
    random() * Math.min(longestDelayMs, firstDelayMs * 2 ** retry);

export const jitteredDelayMs: RetryDelay = fullJitter(300, 2_000);

/** Repeats an idempotent call that found the service out of reach, a few times and soon: a user is waiting. */
export async function retryUnavailable<T>(
  call: () => Promise<T>,
  delayMs: RetryDelay,
  stop: Stop,
): Promise<T> {
  // The widget, which can show it, waits longer.
  return retryCall(call, { retries: 2, delayMs, longestWaitMs: 2_000, codes: ["unavailable"] }, stop);
}

/**
 * Makes a call again for as long as the rule allows.
 *
 * @throws the last failure; an abort during a wait throws the failure that was waited over
 */
export async function retryCall<T>(
  call: () => Promise<T>,
  { retries, delayMs, longestWaitMs, codes }: RetryRule,
  stop: Stop,
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await call();
    } catch (thrown) {
      if (!(thrown instanceof StowageError) || !codes.includes(thrown.code)) throw thrown;
      const waitMs = Math.max(delayMs(retry), (thrown.retryAfterSeconds ?? 0) * 1000);
      if (waitMs > longestWaitMs || retry >= retries) throw thrown;
      if (await isStoppedWithin(waitMs, stop)) throw thrown;
    }
  }
}

async function isStoppedWithin(waitMs: number, stop: Stop): Promise<boolean> {
  const wait = new TimeLimit(waitMs, stop);
  await new Promise((resolve) => wait.whenOver(resolve));
  return !wait.isLate;
}
