import { StowageError } from "@stowage/schemas";
import { isHiddenFromBrowser, operatorError, type OperatorErrorCode } from "../errors.js";

/**
 * Runs one of the customer's callbacks under a time limit. A `StowageError` that the callback throws is its answer to the user and
 * is rethrown. Every other error, an error of the Stowage client included, becomes an operator's error that names the callback.
 *
 * @param options.name such as `routes.avatar.onComplete`
 * @param options.code of the operator's error. @default "internal_error"
 */
export async function runCallback<T>(
  { name, timeoutMs, code = "internal_error" }: CallbackOptions,
  callback: () => T | Promise<T>,
): Promise<T> {
  try {
    return await withTimeout(timeoutMs, callback);
  } catch (thrown) {
    if (thrown instanceof TimeoutError) throw operatorError(code, `${name} ${thrown.message}`);
    if (thrown instanceof StowageError && !isHiddenFromBrowser(thrown)) throw thrown;
    throw operatorError(code, `${name} threw an error`, { cause: thrown });
  }
}

interface CallbackOptions {
  name: string;
  timeoutMs: number;
  code?: OperatorErrorCode;
}

/** Thrown by {@link withTimeout}. A class of our own, so that no error of a callback can look like it. */
export class TimeoutError extends Error {}

/**
 * Waits for `work`, but at most `timeoutMs`. The work itself is not stopped.
 *
 * @throws {TimeoutError} when the time is over
 */
export async function withTimeout<T>(timeoutMs: number, work: () => T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`did not answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    // The async function turns a synchronous throw into a rejection.
    return await Promise.race([(async () => work())(), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
