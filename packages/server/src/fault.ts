import { type ErrorCode, StowageError } from "@stowage/schemas";

export type FaultCode = Extract<ErrorCode, "internal_error" | "unavailable" | "callback_failed">;

/**
 * A failure that is the operator's to put right. The user gets the catalogue's plain sentence; `sentence`, which says
 * what happened and what to do, is for `onError` alone.
 */
export function fault(
  code: FaultCode,
  sentence: string,
  options: { retryAfterSeconds?: number | undefined; cause?: unknown } = {},
): StowageError {
  // An absent cause stays absent: printed, `cause: undefined` is noise.
  const cause = new Error(sentence, options.cause === undefined ? {} : { cause: options.cause });
  return new StowageError(code, { retryAfterSeconds: options.retryAfterSeconds, cause });
}

/** Whatever was thrown, as the error that the caller may see. What is not ours to explain is an internal error. */
export function toStowageError(thrown: unknown): StowageError {
  if (thrown instanceof StowageError) return thrown;
  return fault("internal_error", "The Stowage helper failed unexpectedly", { cause: thrown });
}

/** Tells the operator of a fault; says nothing of what a user did wrong, nor of a call cut short by a user who left. */
export function reportFault(onError: (error: Error) => void, error: StowageError, request: Request): void {
  if (error.status < 500 || (error.code === "unavailable" && request.signal.aborted)) return;
  try {
    // An async onError that fails must not end the process by an unhandled rejection.
    Promise.resolve(onError(error.cause instanceof Error ? error.cause : error)).catch(() => {});
  } catch {
    // The user's answer matters more than a log that fails.
  }
}
