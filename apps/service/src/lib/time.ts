export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** @param ms milliseconds; negative for an earlier date */
export function addMs(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}

/**
 * Rounds down to a whole second. A presigned URL is dated in whole seconds, so an expiry time that is computed from an unrounded
 * date would be later than the moment at which the URL really expires.
 */
export function toWholeSeconds(date: Date): Date {
  return new Date(Math.floor(date.getTime() / SECOND_MS) * SECOND_MS);
}

/** The day in UTC, such as `2026-11-21`. */
export function toUtcDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The last `count` days in UTC, oldest first. Today is the last one. */
export function lastUtcDays(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) => toUtcDay(addMs(now, (index + 1 - count) * DAY_MS)));
}

/** Converts a time as PostgreSQL writes it, such as `2026-11-21 10:00:00.5+00`. */
export function toIsoTime(time: string): string {
  return new Date(time).toISOString();
}
