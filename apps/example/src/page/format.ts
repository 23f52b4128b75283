const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** In steps of 1,024, as the widget beside it and file managers have it. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1024 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return new Intl.NumberFormat(undefined, {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  }).format(bytes / 1024 ** power);
}

export function formatTime(rfc3339: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(rfc3339),
  );
}
