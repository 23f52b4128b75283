/** One JSON value on one line, as `--json` promises. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value));
}

/** Columns of text, each as wide as its widest cell; those that hold a number to the right. */
export function printTable(head: string[], rows: (string | number)[][]): void {
  const columns = head.map((title, at) => ({
    width: Math.max(title.length, ...rows.map((row) => visible(row[at]!).length)),
    isNumeric: rows.some((row) => typeof row[at] === "number"),
  }));
  const line = (row: (string | number)[]) =>
    columns
      .map(({ width, isNumeric }, at) =>
        isNumeric ? visible(row[at]!).padStart(width) : visible(row[at]!).padEnd(width),
      )
      .join("  ")
      .trimEnd();
  console.log([head, ...rows].map(line).join("\n"));
}

/** Text as a terminal may have it: control characters, which could move its cursor, are written as escapes. */
export function visible(cell: string | number): string {
  return String(cell).replace(
    /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function bytesOr(none: string, bytes: number | null): string | number {
  return bytes ?? none;
}
