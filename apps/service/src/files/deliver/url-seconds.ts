import { SECOND_MS } from "#lib/time.js";

/**
 * For how many seconds a URL that downloads the file may be valid, because no URL outlives its file.
 *
 * @param wantedSeconds the most that the caller wants
 * @param signedAt in whole seconds
 * @returns null if the end of the file has come
 */
export function urlSeconds(
  { expiresAt }: { expiresAt: Date | null },
  wantedSeconds: number,
  signedAt: Date,
): number | null {
  if (expiresAt === null) return wantedSeconds;
  const secondsLeft = Math.floor((expiresAt.getTime() - signedAt.getTime()) / SECOND_MS);
  return secondsLeft < 1 ? null : Math.min(wantedSeconds, secondsLeft);
}
