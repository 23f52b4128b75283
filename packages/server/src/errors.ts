import { type BrowserErrorBody, type ErrorCode, StowageError } from "@stowage/schemas";

export type OperatorErrorCode = Extract<
  ErrorCode,
  "internal_error" | "unavailable" | "callback_failed" | "cross_site"
>;

/**
 * Creates an error that the operator has to fix. The browser gets only the catalogue's text for `code`.
 *
 * @param message what happened and what to do next; only `onError` receives it
 */
export function operatorError(
  code: OperatorErrorCode,
  message: string,
  options: { retryAfterSeconds?: number | undefined; cause?: unknown } = {},
): StowageError {
  // Without a cause the property is left out: `cause: undefined` would be printed.
  const cause = new Error(message, options.cause === undefined ? {} : { cause: options.cause });
  return new StowageError(code, { retryAfterSeconds: options.retryAfterSeconds, cause });
}

/** Returns a `StowageError` as it is. Wraps every other thrown value in an `internal_error`. */
export function toStowageError(thrown: unknown): StowageError {
  if (thrown instanceof StowageError) return thrown;
  return operatorError("internal_error", "The Stowage helper failed unexpectedly", { cause: thrown });
}

/** Returns what a browser learns of an error: the text and code of the catalogue, and nothing of its cause. */
export function errorBodyOf(error: StowageError): BrowserErrorBody {
  const { code, reservedBytes } = error;
  return {
    ...error.toBody(),
    code,
    ...(reservedBytes === undefined ? {} : { reserved_bytes: reservedBytes }),
  };
}

const DEFAULT_RETRY_AFTER_SECONDS = 5;

/** Returns the seconds after which the same call may succeed; undefined if waiting does not help. */
export function retryAfterSecondsOf({ code, retryAfterSeconds }: StowageError): number | undefined {
  return retryAfterSeconds ?? (code === "unavailable" ? DEFAULT_RETRY_AFTER_SECONDS : undefined);
}

/** Passes an operator's error to `onError`. Ignores users' mistakes and calls that a leaving browser cut short. */
export function reportError(onError: (error: Error) => void, error: StowageError, request: Request): void {
  const isForOperator = error.status >= 500 || (error.code === "cross_site" && error.cause !== undefined);
  if (!isForOperator || (error.code === "unavailable" && request.signal.aborted)) return;
  try {
    // A rejection of an async onError must not end the process.
    Promise.resolve(onError(error.cause instanceof Error ? error.cause : error)).catch(() => {});
  } catch {
    // A failing log must not cost the user the response.
  }
}

/** The default of `onError`. */
export function logToConsole(error: Error): void {
  console.error(`[stowage] ${error.message}`, ...(error.cause === undefined ? [] : [error.cause]));
}

// A WeakSet instead of a property, so that a caught and printed error looks like every other StowageError.
const hiddenFromBrowser = new WeakSet<StowageError>();

/**
 * Marks an error of the client. Its message may name internal addresses and paths, and its code describes the server's own
 * call. If one of the customer's callbacks lets it through, the browser must not see it.
 */
export function hideFromBrowser(error: StowageError): StowageError {
  hiddenFromBrowser.add(error);
  return error;
}

export function isHiddenFromBrowser(error: StowageError): boolean {
  return hiddenFromBrowser.has(error);
}
