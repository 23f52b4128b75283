import { stringify } from "csv-stringify/sync";

/**
 * Writes rows for programs: as CSV (RFC 4180) after a line with the names of the columns, or as JSON, one value a line. Unlike the exports
 * of http/csv.ts, it has no byte order mark, and no text of users that a spreadsheet could take for a formula.
 */
export function tableText(format: "csv" | "ndjson", columns: readonly string[], rows: object[]): string {
  return format === "csv"
    ? stringify(rows, { header: true, columns: [...columns], record_delimiter: "windows" })
    : rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
