import { addMs, SECOND_MS, toWholeSeconds } from "#lib/time.js";

/**
 * When the URL of an upload expires, or its session of parts ends, and when the file is deleted by itself. An upload never outlives
 * its file, and no URL the keys that sign it.
 *
 * @param now in whole seconds, because URLs are signed in seconds
 * @param uploadMs how long an upload may take
 * @param expiresAfter seconds after which the file is deleted by itself
 * @param keysEnd when the keys end. @default they do not
 */
export function chooseEnd(
  now: Date,
  uploadMs: number,
  expiresAfter: number | undefined,
  keysEnd: Date | null = null,
): { urlExpiresAt: Date; fileExpiresAt: Date | undefined } {
  const wantedEnd = addMs(now, uploadMs);
  const uploadEndsAt = keysEnd !== null && keysEnd < wantedEnd ? toWholeSeconds(keysEnd) : wantedEnd;
  if (expiresAfter === undefined) return { urlExpiresAt: uploadEndsAt, fileExpiresAt: undefined };
  const fileExpiresAt = addMs(now, expiresAfter * SECOND_MS);
  return { urlExpiresAt: fileExpiresAt < uploadEndsAt ? fileExpiresAt : uploadEndsAt, fileExpiresAt };
}
