import { formatBytes as formatBytesIn } from "@stowage/schemas/rules";

const LOCALE = "en";
const whole = new Intl.NumberFormat(LOCALE);
const dateTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
const dayOfUtc = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeZone: "UTC" });
const shortDay = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric", timeZone: "UTC" });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });

export const formatCount = (count: number): string => whole.format(count);

/** Formats bytes in steps of 1,024: `4.2 MB`. `parseSize` reads the same units. */
export const formatBytes = (bytes: number): string => formatBytesIn(bytes, LOCALE);

export const formatDateTime = (at: string): string => dateTime.format(new Date(at));
/** A day of UTC, such as 2026-01-31, which is another moment everywhere else. */
export const formatDay = (day: string): string => dayOfUtc.format(new Date(day));
/** The same where the year is plain: "Jan 31". */
export const formatShortDay = (day: string): string => shortDay.format(new Date(day));

const STEPS = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** "in 15 minutes": not before it is true. */
export function formatIn(seconds: number): string {
  return seconds < 60
    ? relative.format(seconds, "second")
    : relative.format(Math.ceil(seconds / 60), "minute");
}

/** "3 hours ago"; within a minute "now". */
export function formatAgo(at: string, now: number): string {
  const ms = new Date(at).getTime() - now;
  const [unit, length] = STEPS.find(([, step]) => Math.abs(ms) >= step) ?? ["second", Infinity];
  return relative.format(Math.round(ms / length) || 0, unit);
}
