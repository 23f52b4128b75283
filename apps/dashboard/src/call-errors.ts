import { AuthError } from "./auth-client.js";
import { OfflineError } from "./fetch-service.js";
import { serviceErrorOf } from "./trpc.js";

/** Tells whether a call failed because the service did not answer, or could not serve. */
export function isOutage(error: unknown): boolean {
  if (error === null || error === undefined) return false;
  const code = error instanceof AuthError ? error.code : serviceErrorOf(error)?.code;
  return code === undefined || code === "unavailable";
}

/** Tells whether a failed call has certainly changed nothing. After an outage a change may have been made without an answer. */
export function hasChangedNothing(error: unknown): boolean {
  const isOffline = [error, Object(error).cause].some((each) => each instanceof OfflineError);
  return isOffline || serviceErrorOf(error)?.hasChangedNothing === true;
}
