import { StowageError } from "@stowage/schemas";

/** The CDN in front of the public bucket. */
export interface Cdn {
  /**
   * Resolves when the CDN has taken the order to forget what it keeps of this URL.
   *
   * @throws {StowageError} `unavailable`
   */
  purge(url: string): Promise<void>;
  close(): void;
}

const RETRY_AFTER_SECONDS = 5;

/** The CDN did not take an order. Unlike an outage of storage, this says nothing about paths that need no order. */
class PurgeFailedError extends Error {
  override readonly name = "PurgeFailedError";
}

/** @param reason must contain neither the key nor the URL */
export function purgeFailed(reason: string, cause?: unknown): StowageError {
  return new StowageError("unavailable", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new PurgeFailedError(`the CDN did not take the purge: ${reason}`, { cause }),
  });
}

export function isPurgeFailure(error: unknown): boolean {
  return error instanceof StowageError && error.cause instanceof PurgeFailedError;
}

/** For `catch`: the sweeper repeats the removal, and other files continue. @throws any other error */
export function ignorePurgeFailure(error: unknown): void {
  if (!isPurgeFailure(error)) throw error;
}
