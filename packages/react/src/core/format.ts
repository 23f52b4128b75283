const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** `4.2 MB`, in steps of 1,024: a limit of `10 * 1024 ** 2` reads as 10 MB. */
export function formatBytes(bytes: number, locale: string): string {
  let value = bytes;
  let unit = 0;
  // 1023.95 would be shown as "1,024": it belongs to the next unit.
  while (value >= 1023.95 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return formatter(locale, {
    style: "unit",
    unit: UNITS[unit] ?? "byte",
    unitDisplay: unit === 0 ? "long" : "short",
    maximumFractionDigits: unit === 0 || value >= 100 ? 0 : 1,
  }).format(value);
}

/** `45%`, rounded down: 100% is said of what is done and of nothing else. */
export function formatPercent(share: number, locale: string): string {
  return formatter(locale, { style: "percent", maximumFractionDigits: 0 }).format(
    Math.floor(share * 100) / 100,
  );
}

// Making one costs as much as a hundred numbers, and there are a few for thousands of rows.
const formatters = new Map<string, Intl.NumberFormat>();

function formatter(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${options.unit} ${options.maximumFractionDigits}`;
  let found = formatters.get(key);
  if (!found) formatters.set(key, (found = new Intl.NumberFormat(locale, options)));
  return found;
}
