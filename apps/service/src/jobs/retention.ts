import { deleteExpiredEvents } from "#files/file-events.js";
import { forgetExpired } from "#auth/forget-expired.js";
import { type Job, repeat } from "./repeat.js";

const INTERVAL_MS = 3_600_000;

/** Takes away what has ended of people's sign-ins, and histories of files that are long gone, every hour. */
export function startRetention(
  deps: Parameters<typeof forgetExpired>[0] & { onError: (error: unknown) => void },
): Job {
  const forget = async () => {
    await forgetExpired(deps);
    return deleteExpiredEvents(deps);
  };
  return repeat(forget, INTERVAL_MS, deps.onError);
}
