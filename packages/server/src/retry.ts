import { setTimeout as sleep } from "node:timers/promises";
import { StowageError } from "@stowage/schemas";

const RETRIES = 2;
const FIRST_DELAY_MS = 300;
/** A service that asks for more is left alone: the widget, which can show it, waits longer. */
const LONGEST_DELAY_MS = 2_000;

/** Milliseconds to wait before the nth retry, counted from 0. */
export type RetryDelay = (retry: number) => number;

/** Full jitter: clients that failed together do not come back together. */
export const jitteredDelayMs: RetryDelay = (retry) => Math.random() * FIRST_DELAY_MS * 2 ** retry;

/** Repeats an idempotent call that found the service out of reach, a few times and soon: a user is waiting. */
export async function retryUnavailable<T>(
  call: () => Promise<T>,
  delayMs: RetryDelay,
  signal: AbortSignal,
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await call();
    } catch (thrown) {
      const waitMs = Math.max(delayMs(retry), askedDelayMs(thrown));
      if (waitMs > LONGEST_DELAY_MS || retry === RETRIES) throw thrown;
      await sleep(waitMs, undefined, { signal }).catch(() => {
        throw thrown;
      });
    }
  }
}

function askedDelayMs(thrown: unknown): number {
  if (!(thrown instanceof StowageError) || thrown.code !== "unavailable") return Infinity;
  return (thrown.retryAfterSeconds ?? 0) * 1000;
}
