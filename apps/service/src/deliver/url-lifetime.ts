import { addMs, SECOND_MS, toWholeSeconds } from "#lib/time.js";

/** When a presigned URL is valid, in whole seconds. */
export interface UrlLifetime {
  signedAt: Date;
  expiresInSeconds: number;
}

/**
 * When a URL that downloads the file is valid. No URL outlives its file, or the keys that sign it.
 *
 * With `reuse`, time is divided into windows of half of `wantedSeconds`, counted from 1970, and the URL is signed at the start of the
 * current window. So all replicas sign the same URL during a window without a shared state, and at least half of the time is left. A URL
 * of one second has no half: it is signed as without `reuse`.
 *
 * @param options.wantedSeconds the most that the caller wants
 * @param options.keysEnd when the keys end; null if they do not
 * @returns null if the end of the file has come
 */
export function urlLifetime(
  { expiresAt }: { expiresAt: Date | null },
  {
    wantedSeconds,
    reuse = false,
    now,
    keysEnd,
  }: { wantedSeconds: number; reuse?: boolean | undefined; now: Date; keysEnd: Date | null },
): UrlLifetime | null {
  const second = toWholeSeconds(now);
  if (expiresAt !== null && wholeSeconds(second, expiresAt) < 1) return null;
  const signedAt = reuse ? startOfWindow(second, Math.max(1, Math.floor(wantedSeconds / 2))) : second;
  const secondsOfFile = expiresAt === null ? Infinity : wholeSeconds(signedAt, expiresAt);
  const secondsOfKeys = keysEnd === null ? Infinity : Math.max(1, wholeSeconds(signedAt, keysEnd));
  return { signedAt, expiresInSeconds: Math.min(wantedSeconds, secondsOfFile, secondsOfKeys) };
}

/** The end of a URL. */
export function urlEnd({ signedAt, expiresInSeconds }: UrlLifetime): Date {
  return addMs(signedAt, expiresInSeconds * SECOND_MS);
}

const startOfWindow = (now: Date, windowSeconds: number) =>
  addMs(now, -(now.getTime() % (windowSeconds * SECOND_MS)));

const wholeSeconds = (from: Date, to: Date) => Math.floor((to.getTime() - from.getTime()) / SECOND_MS);
