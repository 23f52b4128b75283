/** Limits of one call to the SDK's client. */
export interface HttpOptions {
  abortSignal: AbortSignal;
  /** Milliseconds. */
  requestTimeout: number;
}

/**
 * Sends a request with the SDK's client within a time limit.
 *
 * @param timeoutMs @default S3_TIMEOUT_MS
 * @throws {StowageError} `unavailable` for every error of `send` but the SDK's `NotFound`
 */
export type WithDeadline = <T>(send: (options: HttpOptions) => Promise<T>, timeoutMs?: number) => Promise<T>;
