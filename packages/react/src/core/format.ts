const UNITS = ["", "kilo", "mega", "giga", "tera"];

/** `4.2 MB`, in steps of 1,024: a limit of `10 * 1024 ** 2` reads as 10 MB. With a suffix, `4.2 MB/s`. */
export function formatBytes(bytes: number, locale: string, suffix: "" | "-per-second" = ""): string {
  let value = bytes;
  let unit = 0;
  // 1023.95 would be shown as "1,024": it belongs to the next unit.
  while (value >= 1023.95 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return formatNumber(value, locale, {
    style: "unit",
    unit: `${UNITS[unit]}byte${suffix}`,
    unitDisplay: unit === 0 ? "long" : "short",
    maximumFractionDigits: value >= 100 ? 0 : 1,
  });
}

/** `12 sec`, `3 min`, `2 hr`: never less than is left. */
export function formatDuration(durationMs: number, locale: string): string {
  const seconds = Math.max(1, Math.ceil(durationMs / 1000));
  const [value, unit]: [number, string] =
    seconds < 60 ? [seconds, "second"] : seconds < 3600 ? [seconds / 60, "minute"] : [seconds / 3600, "hour"];
  return formatNumber(Math.ceil(value), locale, { style: "unit", unit, unitDisplay: "short" });
}

/** `45%`, rounded down: 100% is said of what is done and of nothing else. */
export function formatPercent(share: number, locale: string): string {
  return formatNumber(Math.floor(share * 100) / 100, locale, { style: "percent" });
}

const formats = new Map<string, Intl.NumberFormat>();

/** By formats that are kept: to make one costs many times as much as to use it, and each row is drawn several times. */
function formatNumber(value: number, locale: string, options: Intl.NumberFormatOptions): string {
  const key = locale + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format.format(value);
}
