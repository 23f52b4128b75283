/** Prints one JSON value on one line, as every command with `--json` does. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value));
}

/** Prints a table. Columns with numbers are aligned to the right. */
export function printTable(head: string[], rows: (string | number)[][]): void {
  const columns = head.map((title, index) => ({
    width: Math.max(title.length, ...rows.map((row) => visible(row[index]!).length)),
    isNumeric: rows.some((row) => typeof row[index] === "number"),
  }));
  const toLine = (row: (string | number)[]) =>
    columns
      .map(({ width, isNumeric }, index) =>
        isNumeric ? visible(row[index]!).padStart(width) : visible(row[index]!).padEnd(width),
      )
      .join("  ")
      .trimEnd();
  console.log([head, ...rows].map(toLine).join("\n"));
}

/** Writes control characters as escapes, because a terminal would obey them. */
export function visible(cell: string | number): string {
  return String(cell).replace(
    /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** @param none the text for null */
export function bytesOr(none: string, bytes: number | null): string | number {
  return bytes ?? none;
}
