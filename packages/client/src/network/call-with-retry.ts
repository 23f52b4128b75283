import { type Runtime, wait } from "../runtime.js";
import { UploadError } from "../upload-error.js";
import type { Connection } from "./connection.js";
import type { RequestGate } from "./request-gate.js";
import { isOverloaded, isTransient, MAX_DELAY_MS, retryDelayMs } from "./retry-policy.js";

/** A pause before the next attempt. */
export interface PendingRetry {
  /** Number of the attempt after the pause, from 2. */
  attempt: number;
  delayMs: number;
  /** Why the last attempt failed. */
  error: UploadError;
}

export interface RetryOptions {
  signal: AbortSignal;
  /**
   * A background call takes no slot of the gate, so an upload never waits for it. It does not check whether the
   * connection is lost: a call without an answer uses up an attempt.
   *
   * @default false
   */
  isBackground?: boolean;
  /** Called with the pause when one begins, and with null when an attempt waits for the gate or starts. */
  onRetry?(retry: PendingRetry | null): void;
}

export interface RetryDeps {
  runtime: Pick<Runtime, "after" | "random">;
  gate: RequestGate;
  connection: Pick<Connection, "isLost" | "hasGivenUp" | "state" | "confirm">;
}

/**
 * Calls until it succeeds, as long as the failure is transient and there are attempts left. A foreground call that fails
 * because the connection is lost waits for the connection and uses up no attempt. After a long wait for the backend it
 * fails at its next attempt.
 *
 * @param call gets a function that it calls after real progress, to count its attempts from 1 again
 * @throws the last error, or the signal's reason when it aborts
 */
export async function callWithRetry<Result>(
  { runtime, gate, connection }: RetryDeps,
  call: (restartAttempts: () => void) => Promise<Result>,
  { signal, isBackground = false, onRetry = () => {} }: RetryOptions,
): Promise<Result> {
  const slots = isBackground ? 0 : 1;
  let attempt = 1;
  let retry: PendingRetry | null = null;
  const restartAttempts = () => {
    attempt = 1;
  };

  /** Returns the pause before the next attempt, or null when only the gate has to be passed. */
  async function planRetry(error: UploadError): Promise<PendingRetry | null> {
    if (error.status === 0 && !isBackground && (await connection.isLost())) {
      if (connection.hasGivenUp()) throw withPeer(error, connection);
      return null;
    }
    const delayMs = retryDelayMs(attempt, error.retryAfterMs ?? 0, runtime.random());
    if (isOverloaded(error)) gate.pause(delayMs ?? MAX_DELAY_MS);
    if (delayMs === null) throw withPeer(error, connection);
    return { attempt: ++attempt, delayMs, error };
  }

  for (;;) {
    onRetry(retry);
    if (retry) await wait(runtime, retry.delayMs, signal);
    const leave = await gate.enter(signal, slots);
    try {
      signal.throwIfAborted();
      onRetry(null);
      const result = await call(restartAttempts);
      connection.confirm();
      gate.raiseLimit();
      return result;
    } catch (cause) {
      signal.throwIfAborted();
      if (!isTransient(cause)) throw cause;
      retry = await planRetry(cause);
    } finally {
      leave();
    }
  }
}

/** A transport does not know why its call got no answer. With a network, it is the backend that cannot be reached. */
function withPeer(error: UploadError, { state }: Pick<Connection, "state">): UploadError {
  const isBackend = error.code === "network_error" && state() !== "offline";
  return isBackend ? new UploadError("server_unreachable", { cause: error }) : error;
}
