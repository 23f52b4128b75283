import { addMs, SECOND_MS } from "#lib/time.js";

/**
 * When the URL of an upload expires, or its session of parts ends, and when the file is deleted by itself. An upload never outlives
 * its file.
 *
 * @param now in whole seconds, because URLs are signed in seconds
 * @param uploadMs how long an upload may take
 * @param expiresAfter seconds after which the file is deleted by itself
 */
export function chooseEnd(
  now: Date,
  uploadMs: number,
  expiresAfter: number | undefined,
): { urlExpiresAt: Date; fileExpiresAt: Date | undefined } {
  const uploadEndsAt = addMs(now, uploadMs);
  if (expiresAfter === undefined) return { urlExpiresAt: uploadEndsAt, fileExpiresAt: undefined };
  const fileExpiresAt = addMs(now, expiresAfter * SECOND_MS);
  return { urlExpiresAt: fileExpiresAt < uploadEndsAt ? fileExpiresAt : uploadEndsAt, fileExpiresAt };
}
