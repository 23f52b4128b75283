import { limits, StowageError } from "@stowage/schemas";
import { MINUTE_MS, SECOND_MS } from "#lib/time.js";
import type { Credentials, CredentialsProvider } from "./credentials.js";

export interface RenewalOptions {
  /** How long a call may wait for keys. */
  waitMs: number;
  /** Called for each renewal that fails. */
  onFailed: (problem: CredentialsError, held: { usableUntil: Date | null } | null) => void;
  /** Milliseconds since 1970. @default the real time, because the source of the keys counts it too */
  now?: () => number;
}

/** Why there are no keys. The message has names and codes only: those of the SDK may quote what a source answered. */
export class CredentialsError extends Error {
  override readonly name = "CredentialsError";
}

/** Keys with less time than a URL of an upload should have are renewed. */
const RENEW_BELOW_MS = limits.uploadUrlSeconds * SECOND_MS;
/** Keys with less count as ended. URLs are dated in whole seconds. */
const LEAST_LEFT_MS = SECOND_MS;
/** A source that gives nothing longer is asked again after this time, or after a quarter of what is left, if that is shorter. */
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
const LONGEST_PAUSE_AFTER_FAILURE_MS = 30 * SECOND_MS;
const SHORTEST_PAUSE_MS = SECOND_MS;
/** A source that does not answer for this long is asked anew. */
const GIVE_UP_MS = MINUTE_MS;
const RETRY_AFTER_SECONDS = 5;

/**
 * Holds temporary keys, and renews them before a URL would be valid for less than an hour, as far as their source can. A 15-minute session
 * is renewed when a quarter of it is over. Only a call of the provider starts a renewal.
 *
 * - Concurrent calls share a renewal, and wait for it.
 * - While the source fails or is silent, the keys that are held serve until they end, and no call waits.
 * - The provider keeps the keys that end last: the next URL must not end before one that a caller already has.
 * - Keys whose source names no end, such as those of a file, are read again every five minutes.
 *
 * @param load asks the source
 * @throws {StowageError} `unavailable` from the provider, if there are no keys or they have ended
 */
export function keepRenewed(
  load: () => Promise<Credentials>,
  { waitMs, onFailed, now = Date.now }: RenewalOptions,
): CredentialsProvider {
  let held: Credentials | undefined;
  let renewal: Promise<void> | undefined;
  let nextRenewalAt = -Infinity;
  let problem: CredentialsError | undefined;
  /** Whether the source answered the last request, and in time. */
  let isResponsive = true;

  const leftMs = (keys: Credentials | undefined) => endOf(keys) - now();
  const isUsable = (keys: Credentials | undefined) => leftMs(keys) >= LEAST_LEFT_MS;

  async function renew(): Promise<void> {
    let longestPauseMs = LONGEST_PAUSE_MS;
    try {
      const loaded = await within(GIVE_UP_MS, load());
      if (!isUsable(loaded)) throw new CredentialsError("the source answered keys that have ended");
      problem = undefined;
      isResponsive = true;
      const isTaken = endOf(loaded) > endOf(held) || !isUsable(held) || held?.expiration === undefined;
      if (isTaken && !isSame(loaded, held)) held = loaded;
    } catch (error) {
      isResponsive = false;
      problem = toCredentialsError(error);
      longestPauseMs = LONGEST_PAUSE_AFTER_FAILURE_MS;
      onFailed(problem, isUsable(held) ? { usableUntil: held?.expiration ?? null } : null);
    } finally {
      const pauseMs = Math.max(SHORTEST_PAUSE_MS, Math.min(longestPauseMs, leftMs(held) / 4));
      nextRenewalAt = now() + pauseMs;
      renewal = undefined;
    }
  }

  return async () => {
    if (held?.expiration !== undefined && leftMs(held) >= RENEW_BELOW_MS) return held;
    if (now() >= nextRenewalAt) renewal ??= renew();
    const isLasting = held !== undefined && held.expiration === undefined;
    if (held !== undefined && isUsable(held) && (isLasting || !isResponsive || !renewal)) return held;
    if (renewal) await within(waitMs, renewal).catch(() => (isResponsive = false));
    if (held !== undefined && isUsable(held)) return held;
    throw new StowageError("unavailable", {
      detail: "there are no credentials for storage",
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: problem ?? new CredentialsError(`the source did not answer within ${waitMs} ms`),
    });
  };
}

/** When keys end, in milliseconds since 1970: never without `expiration`, and long ago if there are no keys. */
function endOf(keys: Credentials | undefined): number {
  return keys === undefined ? -Infinity : (keys.expiration?.getTime() ?? Infinity);
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CredentialsError(`the source did not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function isSame(a: Credentials, b: Credentials | undefined): boolean {
  return (
    a.accessKeyId === b?.accessKeyId &&
    a.secretAccessKey === b.secretAccessKey &&
    a.sessionToken === b.sessionToken &&
    a.expiration?.getTime() === b.expiration?.getTime()
  );
}

function toCredentialsError(error: unknown): CredentialsError {
  return error instanceof CredentialsError ? error : new CredentialsError(reasonOf(error));
}

/** The name of an error, and the codes of its causes: `ExpiredTokenException, HTTP 400`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "the source failed";
  const { httpStatusCode: status } = ("$metadata" in error ? error.$metadata : {}) as {
    httpStatusCode?: unknown;
  };
  const codes = [error, error.cause].map((each) =>
    each instanceof Error && "code" in each ? each.code : "",
  );
  const words = [error.name, ...codes].filter((word) => typeof word === "string" && NAME.test(word));
  return [...new Set(words), ...(typeof status === "number" ? [`HTTP ${status}`] : [])].join(", ");
}

const NAME = /^[A-Za-z][\w.]{0,60}$/;
