import { formatBytes as formatBytesIn } from "@stowage/schemas/rules";

const LOCALE = "en";
const whole = new Intl.NumberFormat(LOCALE);
const compact = new Intl.NumberFormat(LOCALE, { notation: "compact", maximumSignificantDigits: 3 });
const dateTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
const dayOfUtc = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeZone: "UTC" });
const shortDay = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric", timeZone: "UTC" });
const timeOfDay = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const milliseconds = new Intl.NumberFormat(LOCALE, {
  style: "unit",
  unit: "millisecond",
  maximumFractionDigits: 0,
});
const seconds = new Intl.NumberFormat(LOCALE, { style: "unit", unit: "second", maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });

export const formatCount = (count: number): string => whole.format(count);

/** Formats a number for an axis: "1.5M". */
export const formatCompact = (count: number): string => compact.format(count);

/** Formats a number that was counted up to a bound: "1,000+" if there may be more. */
export const formatBounded = ({ count, isExact }: { count: number; isExact: boolean }): string =>
  `${whole.format(count)}${isExact ? "" : "+"}`;

/** Formats bytes: `4.2 MB`, in decimal units, which `parseSize` reads too. */
export const formatBytes = (bytes: number): string => formatBytesIn(bytes, LOCALE);

export const formatDateTime = (at: string): string => dateTime.format(new Date(at));

/** Formats a day such as 2026-01-31. Days are in UTC, so the browser's time zone must not shift them. */
export const formatDay = (day: string): string => dayOfUtc.format(new Date(day));

/** Formats a day without its year, for axes: "Jan 31". */
export const formatShortDay = (day: string): string => shortDay.format(new Date(day));

/** Formats the time of day: "14:05". */
export const formatTime = (at: string): string => timeOfDay.format(new Date(at));

/** Formats a duration: "12 ms", "1.3 sec". */
export const formatMs = (ms: number): string =>
  ms < 1000 ? milliseconds.format(ms) : seconds.format(ms / 1000);

/** Formats a waiting time: "in 15 minutes". Rounds up, so that the time has passed when the reader comes back. */
export function formatIn(seconds: number): string {
  return seconds < 60
    ? relative.format(seconds, "second")
    : relative.format(Math.ceil(seconds / 60), "minute");
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const UNITS = [
  ["year", 365 * DAY_MS],
  ["month", 30 * DAY_MS],
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
] as const;

/** Formats a time relative to `nowMs`: "3 hours ago", "in 6 days", or "now" within a minute. */
export function formatAgo(at: string, nowMs: number): string {
  const differenceMs = new Date(at).getTime() - nowMs;
  const unit = UNITS.find(([, unitMs]) => Math.abs(differenceMs) >= unitMs);
  return unit ? relative.format(Math.round(differenceMs / unit[1]), unit[0]) : relative.format(0, "second");
}

/** Makes a sentence of a problem as `/readyz` and `health.read` name it: `the database does not answer`. */
export const toSentence = (problem: string): string =>
  `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
