const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"] as const;

const STEP = 1000;

/**
 * Formats a number of bytes for people, with up to three significant digits: `4.2 MB`, `512 kB`, `999 bytes`. Units are decimal, as in
 * `parseSize` and in the file managers of most systems: 1 MB is 1,000,000 bytes.
 *
 * @param locale a BCP 47 tag; undefined uses the locale of the browser or of Node
 * @param rate `"-per-second"` formats a speed: `4.2 MB/s`
 * @example formatBytes(1_048_575, "en") // "1 MB"
 */
export function formatBytes(bytes: number, locale?: string, rate: "" | "-per-second" = ""): string {
  let value = bytes;
  let unit = 0;
  // Compares the rounded value: 999.9 kB would otherwise be printed as "1,000 kB" instead of "1 MB".
  while (Math.round(value) >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit++;
  }
  return formatNumber(value, locale, {
    style: "unit",
    unit: `${UNITS[unit]}${rate}`,
    unitDisplay: unit === 0 ? "long" : "short",
    maximumFractionDigits: value >= 100 ? 0 : 1,
  });
}

const formats = new Map<string, Intl.NumberFormat>();

/**
 * Formats a number like `Intl.NumberFormat`, and keeps one formatter per locale and options. To make a formatter
 * costs many times more than to use it, and a list formats several numbers per row.
 */
export function formatNumber(
  value: number,
  locale: string | undefined,
  options: Intl.NumberFormatOptions,
): string {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format.format(value);
}
