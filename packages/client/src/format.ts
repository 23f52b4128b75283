import { formatNumber } from "@stowage/schemas/page-rules";

/** Formats a time that is left as `12 sec`, `3 min` or `2 hr`. Rounds up, so it never promises too little. */
export function formatDuration(durationMs: number, locale: string): string {
  const seconds = Math.max(1, Math.ceil(durationMs / 1000));
  if (seconds < 60) {
    return formatUnit(seconds, "second", locale);
  }
  return seconds < 3600
    ? formatUnit(seconds / 60, "minute", locale)
    : formatUnit(seconds / 3600, "hour", locale);
}

function formatUnit(value: number, unit: "second" | "minute" | "hour", locale: string): string {
  return formatNumber(Math.ceil(value), locale, { style: "unit", unit, unitDisplay: "short" });
}

/** Formats a share between 0 and 1 as `45%`. Rounds down, so that only a finished upload shows 100%. */
export function formatPercent(share: number, locale: string): string {
  return formatNumber(Math.floor(share * 100) / 100, locale, { style: "percent" });
}

/** Formats milliseconds since the epoch as a date with the time. */
export function formatDateTime(timeMs: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(timeMs);
}
