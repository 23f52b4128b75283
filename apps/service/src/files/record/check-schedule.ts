import { fileStatusTraits } from "@stowage/operator-schemas";
import { limits } from "@stowage/schemas";
import type { files } from "#db/schema/index.js";
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.js";

/*
 * When the sweeper checks an object in storage (one HEAD request). The times are in `files.next_check_at` and
 * `tombstones.next_check_at`.
 */

/** The interval between two checks of a pending upload: short while the upload is young, and never longer than the second value. */
const MIN_INTERVAL_MS = 1 * SECOND_MS;
const MAX_INTERVAL_MS = 8 * SECOND_MS;

/**
 * Checks after the upload URL has expired, counted from its expiry. They find a PUT that started before the expiry and ended long
 * after it, and objects that a replayed URL wrote. The first delay allows for clocks of storage and service that differ by some
 * seconds.
 */
const DELAYS_AFTER_EXPIRY_MS = [5 * SECOND_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS] as const;
const [FIRST_DELAY_MS, , , , LAST_DELAY_MS] = DELAYS_AFTER_EXPIRY_MS;

const PARTS_INTERVAL_MS = 15 * SECOND_MS;

const TOMBSTONE_INTERVAL_MS = 10 * MINUTE_MS;

/** The first check of an upload that was requested at `now`. */
export function firstCheckAt(now: Date): Date {
  return addMs(now, MIN_INTERVAL_MS);
}

/** The next check of an upload by parts while URLs of its parts are valid. It lists the parts, which costs more than a HEAD request. */
export function nextPartsCheckAt(now: Date): Date {
  return addMs(now, PARTS_INTERVAL_MS);
}

/** The last check. From then on no PUT to the path can still be running. */
export function lastCheckAt(urlExpiresAt: Date): Date {
  return addMs(urlExpiresAt, LAST_DELAY_MS);
}

/** When a pending upload without an object becomes `expired`, which returns its reservation. */
export function pendingExpiresAt(urlExpiresAt: Date): Date {
  return addMs(urlExpiresAt, FIRST_DELAY_MS);
}

type CheckedFile = Pick<
  typeof files.$inferSelect,
  "status" | "createdAt" | "storedAt" | "urlExpiresAt" | "partSize" | "multipart"
>;

/**
 * The next check of a file, or null if nothing can change any more. The interval of a pending file grows with its age to at most
 * eight seconds, so a finished PUT is found within ten seconds.
 */
export function nextCheckAt(file: CheckedFile, now: Date): Date | null {
  if (file.status === "deleting") return now;
  if (file.partSize !== null) return nextCheckOfParts(file, now);
  if (file.status !== "pending") return nextCheckAfterExpiry(file.urlExpiresAt, now);
  const ageMs = now.getTime() - file.createdAt.getTime();
  const next = addMs(now, Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, ageMs / 4)));
  const expiresAt = pendingExpiresAt(file.urlExpiresAt);
  return next < expiresAt || expiresAt <= now ? next : expiresAt;
}

/**
 * The next check of a file that is uploaded by parts. Only the service writes its object, and no part arrives without a signed URL.
 * So a pending file is checked while URLs of its parts are valid, for a day after that, and when its session ends.
 */
function nextCheckOfParts(file: CheckedFile, now: Date): Date | null {
  const { status, multipart, urlExpiresAt } = file;
  if (fileStatusTraits[status].counts) return nextCheckAfterCompletion(file.storedAt ?? now, now);
  if (status !== "pending") return nextCheckAfterExpiry(urlExpiresAt, now);
  const endsAt = pendingExpiresAt(urlExpiresAt);
  if (endsAt <= now) return nextPartsCheckAt(now);
  if (multipart?.urlsExpireAt === undefined) return endsAt;
  const partUrlsExpireAt = new Date(multipart.urlsExpireAt);
  const next =
    now < partUrlsExpireAt ? nextPartsCheckAt(now) : (nextCheckAfterExpiry(partUrlsExpireAt, now) ?? endsAt);
  return next < endsAt ? next : endsAt;
}

/** These checks abort other multipart uploads of the path. After the second one all URLs of parts have expired. */
function nextCheckAfterCompletion(storedAt: Date, now: Date): Date | null {
  const lastUrlExpiresAt = addMs(storedAt, limits.uploadUrlSeconds * SECOND_MS);
  return [storedAt, lastUrlExpiresAt].map((at) => addMs(at, FIRST_DELAY_MS)).find((at) => at > now) ?? null;
}

/**
 * The next check of a deleted file's path: every ten minutes until its URL expires, then as for any other file. The last one is
 * at `until`.
 */
export function nextTombstoneCheckAt(until: Date, now: Date): Date {
  const urlExpiresAt = addMs(until, -LAST_DELAY_MS);
  const next = addMs(now, TOMBSTONE_INTERVAL_MS);
  const nextAfterExpiry = nextCheckAfterExpiry(urlExpiresAt, now) ?? until;
  return now < urlExpiresAt && next < nextAfterExpiry ? next : nextAfterExpiry;
}

function nextCheckAfterExpiry(urlExpiresAt: Date, now: Date): Date | null {
  return DELAYS_AFTER_EXPIRY_MS.map((ms) => addMs(urlExpiresAt, ms)).find((at) => at > now) ?? null;
}
