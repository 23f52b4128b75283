import { operatorError } from "../errors.js";

/**
 * Returns whole seconds until a time that the service answered, at least 0.
 *
 * @throws {StowageError} `unavailable` for a text that is not a time
 */
export function secondsUntil(expiresAt: string, now: Date): number {
  const seconds = Math.floor((Date.parse(expiresAt) - now.getTime()) / 1000);
  if (Number.isNaN(seconds)) {
    throw operatorError("unavailable", "The Stowage service answered an expires_at that is not a date");
  }
  return Math.max(seconds, 0);
}
