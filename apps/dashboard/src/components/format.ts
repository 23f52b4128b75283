const LOCALE = "en";
const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"] as const;
const whole = new Intl.NumberFormat(LOCALE);
const dateTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium" });
const dayOfUtc = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeZone: "UTC" });
const shortDay = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric", timeZone: "UTC" });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });

export const formatCount = (count: number): string => whole.format(count);

/** In steps of 1,024, as `parseSize` reads what people type, and as the widget counts. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return new Intl.NumberFormat(LOCALE, {
    style: "unit",
    unit: UNITS[power]!,
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1024 ** power);
}

export const formatDateTime = (at: string): string => dateTime.format(new Date(at));
/** A day of UTC, such as 2026-01-31, which is another moment everywhere else. */
export const formatDay = (day: string): string => dayOfUtc.format(new Date(day));
/** The same where the year is plain: "Jan 31". */
export const formatShortDay = (day: string): string => shortDay.format(new Date(day));
export const formatDate = (at: string): string => date.format(new Date(at));

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
