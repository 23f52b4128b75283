/** One JSON value on one line, as `--json` promises. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value));
}

/** Columns of text, each as wide as its widest cell; numbers to the right. */
export function printTable(head: string[], rows: (string | number)[][]): void {
  const widths = head.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => visible(row[at]!).length)),
  );
  const line = (row: (string | number)[]) =>
    row
      .map((cell, at) =>
        typeof cell === "number" ? visible(cell).padStart(widths[at]!) : visible(cell).padEnd(widths[at]!),
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
